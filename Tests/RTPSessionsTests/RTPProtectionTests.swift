import MediaStreams
import RTP
import RTPSessions
import SRTP
import TestSupport
import Testing

/// Reports and requests over SRTP, on virtual time.
@Suite(.timeLimit(.minutes(10))) struct RTPProtectionTests {
  private struct Keys: Sendable {
    let suite: SRTPSuite
    /// Whether the receiver protects under a key of its own.
    let areTwo: Bool
  }

  private static let keys =
    SRTPSuite.allCases.map { Keys(suite: $0, areTwo: false) } + [Keys(suite: .aesCM128HMACSHA1_80, areTwo: true)]

  private func key(_ suite: SRTPSuite, seed: UInt64) -> SRTPKey {
    var random = SeededGenerator(seed: seed)
    return SRTPKey(suite, using: &random)
  }

  /// - Parameter answer: the seed of the key that each takes for the receiver's.
  private func protections(
    _ suite: SRTPSuite, answer: (sender: UInt64, receiver: UInt64)
  ) throws -> (sender: SRTPContextPair?, receiver: SRTPContextPair?) {
    let stream = key(suite, seed: 1)
    return (
      SRTPContextPair(sending: stream, receiving: key(suite, seed: answer.sender)),
      SRTPContextPair(sending: key(suite, seed: answer.receiver), receiving: stream)
    )
  }

  @Test(
    "over SRTP lost packets are recovered, under one key or two",
    .shows("rtp: NACK", "rtp: reports over SRTP"), arguments: keys)
  private func retransmissions(keys: Keys) throws {
    let seed: UInt64 = keys.areTwo ? 2 : 1
    let rig = try RTPRig(protections: protections(keys.suite, answer: (seed, seed)))
    for _ in 0..<2_000 { rig.step { $0 > 300 && $0 % 10 == 0 } }
    let (sent, heard) = (rig.send.report, rig.receive.report)
    let lost = rig.lostNumbers.count
    #expect(lost >= 65 && rig.receive.counters.refused == 0 && rig.send.counters.refused == 0)
    #expect(heard.missing.recovered >= lost - 1 && rig.send.counters.retransmitted >= lost - 1)
    #expect(rig.receiver.latestSnapshot.statistics.packetsLost <= 1)
    #expect(rig.send.counters.reports >= 15)
    #expect(abs((sent.delivery.loss ?? 0) - 0.1) < 0.05)
    #expect(sent.roundTripNanoseconds != nil && heard.roundTripNanoseconds != nil)
    // Nothing of it is readable: a datagram of RTCP begins with its type, and its source, and no word of the report
    // follows.
    let name = Array("@audiopipe".utf8)
    #expect(!rig.receiverReports.isEmpty && rig.receiverReports.allSatisfy { !$0.contains(name) })
  }

  @Test(
    "foreign, clear or repeated reports are refused and counted",
    .shows("rtp: reports over SRTP"))
  func foreignReports() throws {
    let suite = SRTPSuite.aeadAES128GCM
    let rig = try RTPRig(protections: protections(suite, answer: (1, 9)))
    for _ in 0..<500 { rig.step() }
    // What the receiver has sent last waits still.
    rig.send.pump()
    let refused = rig.receiverReports.count
    #expect(refused >= 3 && rig.send.counters.refused == refused)
    #expect(rig.send.counters.reports == 0 && rig.send.counters.fractionLost == nil)
    #expect(rig.send.report.roundTripNanoseconds == nil)
    // A plain report of half the packets lost.
    var clear = [UInt8](repeating: 0, count: 64)
    let count = try clear.withUnsafeMutableBytes { memory in
      var writer = RTCPWriter(into: memory)
      try writer.appendReceiverReport(ssrc: 5)
      try writer.append(
        ReportBlock(
          ssrc: RTPRig.senderSSRC, fractionLost: 128, cumulativeLost: 9, extendedHighestSequenceNumber: 9, jitter: 0,
          lastSenderReport: 0, delaySinceLastSenderReport: 0))
      return writer.byteCount
    }
    rig.answer(Array(clear[..<count]))
    rig.send.pump()
    #expect(rig.send.counters.reports == 0 && rig.send.counters.refused == rig.receiverReports.count + 1)

    let other = try RTPRig(protections: protections(suite, answer: (1, 1)))
    for _ in 0..<500 { other.step() }
    other.send.pump()
    let reports = other.send.counters.reports
    let last = try #require(other.receiverReports.last)
    other.answer(last)
    other.send.pump()
    #expect(reports >= 3 && other.send.counters.reports == reports && other.send.counters.refused == 1)
  }

  @Test(
    "a receiver with the sender's SSRC takes another before it reports",
    .shows("rtp: reports over SRTP"))
  func collision() throws {
    let rig = try RTPRig(
      receiverSSRC: RTPRig.senderSSRC, protections: protections(.aesCM128HMACSHA1_80, answer: (1, 1)))
    for _ in 0..<500 { rig.step() }
    #expect(rig.receive.ssrc != RTPRig.senderSSRC)
    #expect(rig.send.counters.reports >= 3 && rig.send.counters.refused == 0)
    // The source stands in the clear behind the first word.
    let sources = rig.receiverReports.map { $0[4..<8].reduce(UInt32(0)) { $0 << 8 | UInt32($1) } }
    #expect(Set(sources) == [rig.receive.ssrc])
  }
}

extension Array where Element == UInt8 {
  fileprivate func contains(_ part: [UInt8]) -> Bool {
    indices.contains { self[$0...].starts(with: part) }
  }
}
