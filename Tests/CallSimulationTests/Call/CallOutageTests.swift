import AudioGraph
import CallSimulation
import Engine
import MediaStreams
import NetworkSimulation
import OpusCodec
import TestSupport
import Testing

/// Outages of any length: packets are lost, sound is concealed and frozen, and all counts mean the same everywhere.
@Suite(.timeLimit(.minutes(10))) struct CallOutageTests {
  private let files = CallFiles()

  private func call(
    seconds: Double, loss: Double = 0, events: String = "", codec: SenderCodec = .null(.milliseconds20)
  ) throws -> SimulatedCall {
    var call = SimulatedCall(
      users: [], conditions: try NetworkConditions(loss: .bernoulli(probability: loss), delay: .milliseconds(30)),
      codec: codec, durationSeconds: seconds)
    for uid in 1...UInt32(2) {
      call.users.append(CallUser(uid: uid, path: try files.voice("\(uid).wav", seed: UInt64(uid), seconds: seconds)))
    }
    call.script = try CallScript(parsing: "{\"schema\": 1, \"events\": [\(events)]}") { _ in throw CancellationError() }
    return call
  }

  private func network(_ seconds: Double, loss: Int) -> String {
    "{\"time_s\": \(seconds), \"name\": \"network\", \"loss_percent\": \(loss)}"
  }

  private func milliseconds(_ samples: Int) -> Double { Double(samples) / 48 }

  /// What holds whatever is lost.
  private func check(_ heard: HeardUser) {
    #expect(heard.packetsLost == heard.link.lost + heard.link.dropped)
    #expect(heard.seconds.map(\.lost).reduce(0, +) == heard.packetsLost)
    #expect(heard.seconds.map(\.sent).reduce(0, +) == heard.packetsSent)
    #expect(heard.seconds.map(\.packets).reduce(0, +) == heard.statistics.packetsReceived)
    #expect(heard.statistics.ledger.imbalance() == 0)
    #expect((0...1).contains(heard.concealedShare), "\(heard.concealedShare)")
    for second in heard.seconds {
      // Clocks that are followed render a few samples more or less than a second's.
      #expect(second.concealedMilliseconds <= 1_000.5 && second.frozenMilliseconds <= 1_000.5, "\(second)")
      #expect(second.lost <= second.sent)
    }
    #expect(heard.statistics.frozenSamples <= heard.statistics.concealedSamples)
  }

  /// - Parameter outage: milliseconds in which all is lost.
  private func check(_ heard: HeardUser, outage: Double) {
    check(heard)
    let (concealed, frozen) = (
      milliseconds(heard.statistics.concealedSamples), milliseconds(heard.statistics.frozenSamples)
    )
    // From when the last packet has been played until one comes: the buffer's delay less.
    #expect(concealed <= outage + 20 && concealed >= outage - 80, "\(concealed) of \(outage) ms")
    #expect(abs(frozen - (concealed - 200)) < 30, "\(frozen) of \(outage) ms")
    #expect(heard.packetsLost == Int(outage / 20))
    let (sum, frozenSum) = (
      heard.seconds.map(\.concealedMilliseconds).reduce(0, +), heard.seconds.map(\.frozenMilliseconds).reduce(0, +)
    )
    #expect(abs(sum - concealed) < 0.01 && abs(frozenSum - frozen) < 0.01)
    #expect(heard.statistics.concealmentEvents == 1)
  }

  @Test("a call without any packet counts as lost, concealed and frozen")
  func whole() throws {
    for seconds in [4.0, 20] {
      for heard in try call(seconds: seconds, loss: 1).run().listeners.flatMap(\.heard) {
        check(heard, outage: 1_000 * seconds)
        #expect(heard.concealedShare == 1 && heard.seconds.allSatisfy { $0.mos == 1 })
        #expect(heard.delay.count == 0 && heard.seconds.allSatisfy { $0.delayMilliseconds == nil })
      }
    }
  }

  @Test(
    "an outage of 20 s is lost and frozen time, second by second",
    .shows("receive: counts"),
    arguments: [SenderCodec.null(.milliseconds20), .opus(OpusOptions(complexity: 0, packetDuration: .milliseconds20))])
  func middle(codec: SenderCodec) throws {
    let call = try call(
      seconds: 28, events: "\(network(4, loss: 100)), \(network(24, loss: 0))", codec: codec)
    for heard in try call.run().listeners.flatMap(\.heard) {
      check(heard, outage: 20_000)
      #expect(heard.statistics.streamsBegun == 2)
      for second in heard.seconds where (5..<24).contains(second.timeSeconds) {
        #expect(abs(second.concealedMilliseconds - 1_000) <= 20 && second.mos == 1 && second.lost == 50, "\(second)")
      }
    }
  }

  @Test(
    "an outage counts fully at the beginning and at the end of a call", .shows("receive: counts"),
    arguments: [3.0, 22])
  func ends(seconds: Double) throws {
    let end = try call(seconds: 4 + seconds, events: network(4, loss: 100))
    for heard in try end.run().listeners.flatMap(\.heard) { check(heard, outage: 1_000 * seconds) }
    let begin = try call(seconds: 4 + seconds, loss: 1, events: network(seconds, loss: 0))
    for heard in try begin.run().listeners.flatMap(\.heard) { check(heard, outage: 1_000 * seconds) }
  }

  @Test("a sender that is muted for 20 s is neither lost nor frozen", .shows("receive: counts"))
  func pause() throws {
    let call = try call(
      seconds: 28,
      events: "{\"time_s\": 4, \"name\": \"mute\", \"user\": 1}, {\"time_s\": 24, \"name\": \"unmute\", \"user\": 1}")
    let heard = try #require(try call.run().listeners[1].heard.first)
    #expect(heard.packetsLost == 0 && heard.statistics.packetsLost == 0 && heard.statistics.frozenSamples == 0)
    #expect(heard.statistics.concealedSamples <= 9_600)
    check(heard)
  }

  @Test(
    "no share exceeds the whole, however bad the network is", .shows("receive: counts"),
    arguments: [1, 2, 4, 9, 20] as [Double], [5, 8] as [Double])
  func shares(kilobits: Double, seconds: Double) throws {
    for (loss, jitter) in [(0.0, 0), (0.4, 0), (0.1, 250)] {
      for codec in [SenderCodec.null(.milliseconds10), .opus(OpusOptions(complexity: 0, forwardErrorCorrection: true))]
      {
        var call = try call(seconds: seconds, loss: loss, codec: codec)
        call.conditions = try call.conditions.applying([
          .delay(.milliseconds(jitter)), .jitter(.uniform(plusMinus: .milliseconds(jitter))),
          .bottleneck(Bottleneck(bitsPerSecond: Int(1_000 * kilobits), queueDuration: .milliseconds(200))),
        ])
        for heard in try call.run().listeners.flatMap(\.heard) { check(heard) }
      }
    }
  }
}
