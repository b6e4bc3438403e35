import AudioGraph
import CallSimulation
import Engine
import MediaStreams
import NetworkSimulation
import OpusCodec
import RTP
import TestSupport
import Testing

/// Every packet is accounted for, whatever the network does.
@Suite(.timeLimit(.minutes(10))) struct CallSumsTests {
  private let files = CallFiles()

  @Test("totals are the sums of the seconds, also for a mute after losses", .shows("simulate report"))
  func seconds() throws {
    var call = SimulatedCall(
      users: [],
      conditions: try NetworkConditions(loss: .bernoulli(probability: 0.1), delay: .milliseconds(20)),
      codec: .null(.milliseconds20), seed: 1, durationSeconds: 12)
    for uid in 1...UInt32(2) {
      call.users.append(CallUser(uid: uid, path: try files.voice("\(uid).wav", seed: UInt64(uid), seconds: 12)))
    }
    call.script = try CallScript(
      parsing: """
        {"schema": 1, "events": [
          {"time_s": 3, "name": "mute", "user": 2}, {"time_s": 6, "name": "unmute", "user": 2}]}
        """
    ) { _ in throw CancellationError() }
    for heard in try call.run().listeners.flatMap(\.heard) {
      let statistics = heard.statistics
      func sum(_ field: KeyPath<HeardSecond, Double>) -> Double { heard.seconds.reduce(0) { $0 + $1[keyPath: field] } }
      #expect(abs(sum(\.concealedMilliseconds) - Double(statistics.concealedSamples) / 48) < 1e-6)
      #expect(abs(sum(\.frozenMilliseconds) - Double(statistics.frozenSamples) / 48) < 1e-6)
      #expect(heard.seconds.reduce(0) { $0 + $1.retransmitted } == statistics.retransmittedPacketsUsed)
      #expect(heard.seconds.allSatisfy { $0.concealedMilliseconds >= 0 && $0.frozenMilliseconds >= 0 })
      #expect(heard.seconds.allSatisfy { $0.retransmitted >= 0 })
      // Nobody is judged by a second in which he was muted; what was said before may be heard in that behind it.
      if heard.uid == 2 { #expect(heard.seconds[5].mos == nil && heard.seconds[5].concealedMilliseconds == 0) }
    }
  }

  @Test(
    "when a long path becomes short, each packet is counted once",
    .shows("receive: numbers"),
    arguments: [1_000, 2_500, 6_000], [0, 0.1])
  func shortAtOnce(delay: Int, loss: Double) throws {
    var call = SimulatedCall(
      users: [],
      conditions: try NetworkConditions(loss: .bernoulli(probability: loss), delay: .milliseconds(delay)),
      codec: .null(.milliseconds20), seed: 1, durationSeconds: 40)
    for uid in 1...UInt32(2) {
      call.users.append(CallUser(uid: uid, path: try files.voice("\(uid).wav", seed: UInt64(uid), seconds: 40)))
    }
    call.script = try CallScript(
      parsing: """
        {"schema": 1, "events": [{"time_s": 20, "name": "network", "delay_ms": 20}]}
        """
    ) { _ in throw CancellationError() }
    for heard in try call.run().listeners.flatMap(\.heard) {
      let statistics = heard.statistics
      let came = statistics.packetsReceived - statistics.retransmittedPacketsReceived
      // Two may be under way at the end.
      #expect((0...2).contains(heard.packetsSent - heard.packetsLost - came), "\(heard.packetsSent), \(statistics)")
      #expect(heard.packetsRefused == 0 && statistics.packetsFromUnknownSources == 0 && statistics.streamsBegun == 1)
      #expect(statistics.packetsDuplicated <= statistics.retransmittedPacketsReceived)
      // What was under way when it became short is overtaken, the rest is lost.
      let missing = try #require(heard.feedback?.missing)
      #expect((heard.packetsLost...heard.packetsLost + delay / 20 + 2).contains(missing.missing), "\(missing)")
      #expect(statistics.ledger.imbalance() == 0)
      // Soon it is as if it had always been short.
      let end = heard.seconds.filter { $0.timeSeconds >= 30 }
      #expect(end.allSatisfy { ($0.bufferMilliseconds ?? 0) < 200 }, "\(end.map(\.bufferMilliseconds))")
    }
  }
}
