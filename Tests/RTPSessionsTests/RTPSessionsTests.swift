import MediaStreams
import RTP
import RTPSessions
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct RTPSessionsTests {
  @Test("over real sockets lost packets are recovered in time and reported", .shows("rtp: NACK"))
  func retransmissions() throws {
    let rig = try RTPRig()
    for _ in 0..<2_000 { rig.step { $0 > 300 && $0 % 10 == 0 } }
    let (sent, heard) = (rig.send.report, rig.receive.report)
    let lost = rig.lostNumbers.count
    #expect(lost >= 65)
    #expect(heard.missing.requested >= lost - 1 && heard.missing.recovered >= lost - 1)
    #expect(
      rig.send.counters.retransmitted >= lost - 1
        && sent.retransmissions.retransmitted == rig.send.counters.retransmitted)
    #expect(rig.receiver.latestSnapshot.statistics.retransmittedPacketsUsed >= lost - 5)
    #expect(rig.receiver.latestSnapshot.statistics.packetsLost <= 1)
    // What was sent again is still told as lost on the way.
    #expect(abs((sent.delivery.loss ?? 0) - 0.1) < 0.05 && sent.remotePacketsLost >= lost - 8)
    #expect((sent.roundTripNanoseconds ?? .max) <= 2 * RTPRig.frame)
    #expect((heard.roundTripNanoseconds ?? .max) <= 2 * RTPRig.frame)
  }

  @Test(
    "a long path without loss shows no loss and no outage", arguments: [0, 8, 30])
  func farAway(ticks: Int) throws {
    let rig = try RTPRig(wayTicks: ticks)
    for _ in 0..<1_500 {
      rig.step()
      let counters = rig.send.counters
      try #require(counters.outageCount == 0 && counters.judged.lost == 0, "\(counters)")
    }
    #expect(rig.send.counters.fractionLost == 0 && rig.send.counters.judged.due > 500)
    // A report is of the moment at which it leaves, which is up to a packet and a tick behind the newest packet's
    // capture.
    #expect(rig.reportedTimestampSteps.count > 8 && rig.reportedTimestampSteps.allSatisfy { (0...1_440).contains($0) })
  }

  @Test("a BYE ends the stream at the other side")
  func bye() throws {
    let rig = try RTPRig()
    for _ in 0..<100 { rig.step() }
    #expect(!rig.receive.hasEnded)
    rig.send.finish()
    rig.step()
    #expect(rig.receive.hasEnded && rig.receive.report.hasLeft)
  }

  @Test("a leaving receiver sends a BYE only if it has sent before", .shows("rtp"))
  func receiverLeaves() throws {
    let rig = try RTPRig()
    rig.leave()
    #expect(rig.receiverReports.isEmpty)
    for _ in 0..<500 { rig.step() }
    let count = rig.receiverReports.count
    rig.leave()
    let last = try #require(rig.receiverReports.last)
    // A compound of whole words (RFC 3550): the goodbye is its last packet.
    var types: [UInt8] = []
    var place = 0
    while place + 4 <= last.count {
      types.append(last[place + 1])
      place += 4 * (Int(last[place + 2]) << 8 + Int(last[place + 3]) + 1)
    }
    #expect(count >= 3 && rig.receiverReports.count == count + 1)
    #expect(types.first == 201 && types.last == 203 && place == last.count)
    // It stays the sender's stream.
    #expect(rig.send.counters.refused == 0 && rig.send.counters.reports == count + 1)
  }

  @Test("link feedback from reports is taken once, at either side", .shows("rtp: events"))
  func linkFeedback() throws {
    let rig = try RTPRig()
    rig.step()
    let early = rig.send.takeLinkFeedback()
    #expect(early == nil)
    for _ in 0..<500 { rig.step { $0 > 100 && $0 % 5 == 0 } }
    let (sender, receiver) = (rig.send.takeLinkFeedback(), rig.receive.takeLinkFeedback())
    let again = rig.send.takeLinkFeedback()
    #expect(abs((sender?.sentLoss ?? 0) - 0.2) < 0.08 && sender?.roundTripMilliseconds != nil)
    // Who sends nothing is told of nothing lost.
    #expect(receiver?.sentLoss == nil && receiver?.roundTripMilliseconds != nil)
    #expect(again == nil)
  }
}
