import AudioGraph
import CallSimulation
import Engine
import MediaStreams
import NetworkSimulation
import OpusCodec
import RTP
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct CallFeedbackTests {
  private let files = CallFiles()

  private func call(
    delay: Int, loss: Double = 0.1, seed: UInt64 = 1, seconds: Double = 40, codec: SenderCodec = .null(.milliseconds20)
  ) throws -> SimulatedCall {
    var call = SimulatedCall(
      users: [],
      conditions: try NetworkConditions(loss: .bernoulli(probability: loss), delay: .milliseconds(delay)),
      codec: codec, seed: seed, durationSeconds: seconds)
    for uid in 1...UInt32(2) {
      call.users.append(CallUser(uid: uid, path: try files.voice("\(uid).wav", seed: UInt64(uid), seconds: seconds)))
    }
    return call
  }

  private func all(_ call: SimulatedCall) throws -> [HeardUser] { try call.run().listeners.flatMap(\.heard) }

  /// Concealed after the first seconds, in which nobody knows the round trip.
  private func concealed(_ heard: [HeardUser]) -> Double {
    heard.flatMap(\.seconds).filter { $0.timeSeconds >= 8 }.map(\.concealedMilliseconds).reduce(0, +)
  }

  @Test("with 10 % loss and 40 ms round trip most losses are recovered in time", .shows("simulate: NACK"))
  func asks() throws {
    var call = try call(delay: 20)
    let again = try all(call)
    call.resendsPackets = false
    let never = try all(call)
    for (one, other) in zip(again, never) {
      // The same packets of the voice are lost, whatever else is sent.
      #expect(one.link == other.link)
      #expect(one.statistics.ledger.imbalance() == 0)
      #expect(other.feedback?.missing.requested == 0 && other.statistics.retransmittedPacketsReceived == 0)
      let asked = try #require(one.feedback?.missing)
      #expect(asked.recovered > asked.missing * 3 / 4)
    }
    // A request and its answer both get through four times out of five, and a second one comes too late for some.
    #expect(concealed(again) < 0.4 * concealed(never))
  }

  @Test("a user that leaves and rejoins keeps its counts of the whole call", .shows("simulate: reports"))
  func comesAgain() throws {
    var call = try call(delay: 20)
    call.script = try CallScript(
      parsing: """
        {"schema": 1, "events": [{"time_s": 20, "name": "leave", "user": 1}, {"time_s": 22, "name": "join", "user": 1}]}
        """
    ) { _ in throw CancellationError() }
    for heard in try all(call) {
      let (missing, told) = (try #require(heard.feedback?.missing), try #require(heard.remoteReport))
      #expect((heard.packetsLost - 5...heard.packetsLost + 1).contains(missing.missing), "\(missing)")
      #expect(
        heard.statistics.retransmittedPacketsUsed <= missing.recovered
          && missing.recovered <= told.retransmissions.retransmitted)
      #expect(told.reportsReceived > 25 && abs(told.remotePacketsLost - heard.packetsLost) <= 8, "\(told)")
    }
  }

  @Test("with FEC and NACK less is concealed than with FEC alone", .shows("simulate: NACK"), arguments: [1, 2])
  func besidesFEC(seed: UInt64) throws {
    var call = try call(
      delay: 20, seed: seed, codec: .opus(OpusOptions(complexity: 3, forwardErrorCorrection: true)))
    let both = concealed(try all(call))
    call.resendsPackets = false
    let alone = concealed(try all(call))
    #expect(both < 0.75 * alone, "\(both) ms, by FEC alone \(alone) ms")
  }

  @Test(
    "nearly all requested and answered packets can be played", .shows("simulate: NACK"),
    arguments: [5, 10, 20])
  func inTime(delay: Int) throws {
    for heard in try all(try call(delay: delay)) {
      let missing = try #require(heard.feedback?.missing)
      #expect(missing.requested > missing.missing * 4 / 5)
      let inTime = heard.statistics.retransmittedPacketsUsed
      #expect(Double(inTime) > 0.9 * Double(missing.recovered), "\(inTime) of \(missing)")
    }
  }

  @Test(
    "with FEC, packets too far away for an answer are hardly requested",
    .shows("simulate: NACK"))
  func tooFar() throws {
    var call = try call(
      delay: 50, seconds: 20, codec: .opus(OpusOptions(complexity: 1, forwardErrorCorrection: true)))
    call.conditions = try call.conditions.applying([.jitter(.uniform(plusMinus: .milliseconds(20)))])
    for heard in try all(call) {
      let missing = try #require(heard.feedback?.missing)
      #expect(heard.feedback?.roundTripNanoseconds != nil && missing.missing > 80)
      #expect(missing.requested <= missing.missing / 50, "\(missing)")
      // What the network lost is neither late nor answered.
      #expect(missing.late + missing.recovered + heard.link.lost <= missing.missing + heard.link.lost / 10)
    }
  }

  @Test(
    "without FEC the buffer grows until retransmissions can be played",
    .shows("simulate: NACK"))
  func waitsWithoutFEC() throws {
    var call = try call(delay: 35)
    call.conditions = try call.conditions.applying([.jitter(.uniform(plusMinus: .milliseconds(20)))])
    let again = try all(call)
    call.resendsPackets = false
    let never = try all(call)
    for (one, other) in zip(again, never) {
      #expect(concealed([one]) < concealed([other]) / 3, "\(concealed([one])) of \(concealed([other])) ms")
      let waiting = try #require(one.seconds.last?.bufferMilliseconds)
      let before = try #require(other.seconds.last?.bufferMilliseconds)
      #expect(waiting > before + 60 && waiting < 200, "\(waiting) beside \(before) ms")
    }
  }

  @Test("without FEC losses after minutes of jitter are waited for as well", .shows("simulate: NACK"))
  func lossAfterJitter() throws {
    var call = try call(delay: 25, loss: 0, seconds: 150, codec: .null(.milliseconds10))
    call.conditions = try call.conditions.applying([.jitter(.uniform(plusMinus: .milliseconds(20)))])
    call.script = try CallScript(
      parsing: "{\"schema\": 1, \"events\": [{\"time_s\": 100, \"name\": \"network\", \"loss_percent\": 10}]}"
    ) { _ in throw CancellationError() }
    for heard in try all(call) {
      let late = heard.seconds.filter { $0.timeSeconds >= 120 }
      let share = late.map(\.concealedMilliseconds).reduce(0, +) / Double(late.count) / 1_000
      #expect(late.count == 30 && share < 0.03, "\(share)")
    }
  }

  @Test("with a 400 ms round trip requests are off, with the same result", .shows("simulate: NACK"))
  func farAway() throws {
    var call = try call(delay: 200)
    let first = try all(call)
    call.resendsPackets = false
    let second = try all(call)
    for (one, other) in zip(first, second) {
      #expect(one.feedback?.missing.requested == 0 && one.remoteReport?.retransmissions.requested == 0)
      #expect(one.statistics == other.statistics && one.seconds == other.seconds)
    }
  }

  @Test("both sides and a silent listener know the round trip and the losses", .shows("simulate: reports"))
  func reports() throws {
    var call = try call(delay: 30, loss: 0.05)
    call.outputs = CallOutputs(mixedPath: files.path("m.wav"))
    let result = try call.run()
    #expect(result.listeners.map(\.uid) == [1, 2, 0])
    for heard in result.listeners.flatMap(\.heard) {
      let (feedback, told) = (try #require(heard.feedback), try #require(heard.remoteReport))
      #expect(abs((feedback.roundTripNanoseconds ?? 0) - 60_000_000) < 100_000)
      #expect(abs((told.roundTripNanoseconds ?? 0) - 60_000_000) < 100_000)
      // The last report is up to 1.5 s old, and one in twenty is lost.
      #expect(told.reportsReceived >= 25 && told.reportsReceived <= 60)
      #expect(told.remotePacketsLost <= heard.link.lost && told.remotePacketsLost >= heard.link.lost - 20)
    }
  }

  @Test(
    "an adapting sender turns FEC on and off with loss, a fixed one never",
    .shows("simulate: reports"))
  func adapts() throws {
    var call = try call(
      delay: 20, loss: 0, seconds: 40,
      codec: .opus(OpusOptions(complexity: 1, packetDuration: .milliseconds10)))
    call.script = try CallScript(
      parsing: """
        {"schema": 1, "events": [{"time_s": 5, "name": "network", "loss_percent": 15},
          {"time_s": 12, "name": "network", "loss_percent": 0}]}
        """
    ) { _ in throw CancellationError() }
    func changes(_ call: SimulatedCall) throws -> [(seconds: Double, options: OpusOptions)] {
      try call.run().events.compactMap { event in
        if case .sending(let options, user: 1) = event.kind { return (event.seconds, options) }
        return nil
      }
    }
    let fixed = try changes(call)
    #expect(fixed.isEmpty)
    call.adapts = true
    let changes = try changes(call)
    let on = try #require(changes.first { $0.options.forwardErrorCorrection })
    #expect(on.seconds > 5 && on.seconds < 9)
    #expect(on.options.packetDuration == .milliseconds20)
    let last = try #require(changes.last)
    #expect(last.seconds > 12 && !last.options.forwardErrorCorrection)
    #expect(last.options.packetDuration == .milliseconds20)
    // The comparison with 24 kbit/s is over.
    #expect(last.options.bitrate == 32_000 && changes.contains { $0.options.bitrate == 24_000 })
  }

  @Test(
    "without impairment an adapting sender causes no concealment",
    .shows("simulate: reports"))
  func perfect() throws {
    var call = try call(
      delay: 0, loss: 0, seconds: 15, codec: .opus(OpusOptions(complexity: 1, forwardErrorCorrection: true)))
    call.adapts = true
    let result = try call.run()
    for heard in result.listeners.flatMap(\.heard) {
      #expect(heard.statistics.concealedSamples == 0 && heard.feedback?.missing.missing == 0)
      #expect(heard.buffer.milliseconds(atQuantile: 1) <= 30)
      #expect(heard.statistics.ledger.imbalance() == 0)
      #expect(heard.seconds.last.map { $0.packets >= 49 } == true)
    }
  }

  @Test(
    "after an outage of 2 s concealed packets are not requested", .shows("simulate: NACK"),
    arguments: [10, 20])
  func outage(packetMilliseconds: Int) throws {
    var call = try call(
      delay: 20, loss: 0, seconds: 12, codec: .null(packetMilliseconds == 10 ? .milliseconds10 : .milliseconds20))
    call.script = try CallScript(
      parsing: """
        {"schema": 1, "events": [{"time_s": 5, "name": "network", "loss_percent": 100},
          {"time_s": 7, "name": "network", "loss_percent": 0}]}
        """
    ) { _ in throw CancellationError() }
    for heard in try all(call) {
      let missing = try #require(heard.feedback?.missing)
      #expect(abs(missing.missing - 2_000 / packetMilliseconds) <= 1)
      // Those of the last moment can still be heard, and are asked for twice at most.
      #expect(missing.requested <= 6, "\(missing)")
      #expect(heard.statistics.packetsLost >= missing.missing - 6)
      #expect(heard.seconds.filter { $0.timeSeconds >= 9 }.allSatisfy { $0.concealedMilliseconds == 0 })
      // A whole second without anything.
      let silent = try #require(heard.seconds.first { $0.timeSeconds == 6 })
      #expect(silent.packets == 0 && silent.mos == 1)
    }
  }

  @Test(
    "only the last packets of an outage that ends a stream are requested",
    .shows("simulate: NACK"), arguments: [16, 25])
  func longOutage(seconds: Int) throws {
    var call = try call(delay: 20, loss: 0, seconds: Double(seconds) + 8)
    call.script = try CallScript(
      parsing: """
        {"schema": 1, "events": [{"time_s": 4, "name": "network", "loss_percent": 100},
          {"time_s": \(seconds + 4), "name": "network", "loss_percent": 0}]}
        """
    ) { _ in throw CancellationError() }
    for heard in try all(call) {
      let missing = try #require(heard.feedback?.missing)
      #expect(abs(missing.missing - 50 * seconds) <= 1)
      #expect(missing.requested <= 6, "\(missing)")
    }
  }

  @Test("the same call gives the same results, with reports and requests", .shows("simulate: reports"))
  func determinism() throws {
    var call = try call(delay: 20, seconds: 12, codec: .opus(OpusOptions(complexity: 1)))
    call.adapts = true
    let (first, second) = (try call.run(), try call.run())
    #expect(first.events == second.events)
    for (one, other) in zip(first.listeners.flatMap(\.heard), second.listeners.flatMap(\.heard)) {
      #expect(one.seconds == other.seconds && one.feedback == other.feedback && one.remoteReport == other.remoteReport)
    }
  }
}
