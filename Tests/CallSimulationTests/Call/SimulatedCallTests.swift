import AudioGraph
import CallSimulation
import Engine
import Foundation
import MediaStreams
import NetworkSimulation
import OpusCodec
import RTP
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct SimulatedCallTests {
  @Test("users with drifting clocks are heard to the call's end by each clock", .shows("simulate"))
  func driftingEnd() throws {
    let files = CallFiles()
    var call = SimulatedCall(
      users: [], conditions: try NetworkConditions(delay: .milliseconds(10)), codec: .null(.milliseconds20),
      durationSeconds: 100)
    for (uid, drift) in [(UInt32(1), 1_000.0), (2, -1_000), (3, 0)] {
      call.users.append(
        CallUser(
          uid: uid, path: try files.voice("\(uid).wav", seed: UInt64(uid), seconds: 2), driftPartsPerMillion: drift))
    }
    for heard in try call.run().listeners.flatMap(\.heard) {
      #expect(heard.statistics.concealedSamples == 0 && heard.statistics.frozenSamples == 0, "\(heard.uid)")
      #expect(heard.seconds.count == 100 && heard.seconds.allSatisfy { $0.concealedMilliseconds == 0 })
      #expect(heard.seconds.map(\.packets).reduce(0, +) == heard.statistics.packetsReceived)
      #expect(heard.statistics.ledger.imbalance() == 0)
    }
  }

  @Test(
    "reports continue until the call ends by each drifting clock",
    .shows("simulate: reports"))
  func driftingReports() throws {
    let files = CallFiles()
    // 0.7 s apart in the end: more than packets may be late before they count as lost.
    var call = SimulatedCall(
      users: [], conditions: try NetworkConditions(delay: .milliseconds(10)), codec: .null(.milliseconds20),
      durationSeconds: 350)
    for (uid, drift) in [(UInt32(1), 1_000.0), (2, -1_000)] {
      call.users.append(
        CallUser(
          uid: uid, path: try files.voice("\(uid).wav", seed: UInt64(uid), seconds: 2), driftPartsPerMillion: drift))
    }
    for heard in try call.run().listeners.flatMap(\.heard) {
      #expect(heard.packetsLost == 0 && heard.remoteReport?.remotePacketsLost == 0, "\(heard.uid)")
    }
  }

  private let files = CallFiles()

  private func call(_ count: Int = 2, _ conditions: NetworkConditions = .perfect, seed: UInt64 = 1) throws
    -> SimulatedCall
  {
    var call = SimulatedCall(users: [], conditions: conditions, seed: seed, durationSeconds: 3)
    for uid in 1...UInt32(count) {
      call.users.append(CallUser(uid: uid, path: try files.voice("\(uid).wav", seed: UInt64(uid), seconds: 2.5)))
    }
    call.codec = .opus(OpusOptions(packetDuration: .milliseconds20, forwardErrorCorrection: true))
    return call
  }

  private static let bad = try! NetworkConditions(
    loss: .bernoulli(probability: 0.1), delay: .milliseconds(50), jitter: .uniform(plusMinus: .milliseconds(30)))

  @Test(
    "without impairment nothing is concealed and the ledger closes",
    .shows("simulate"))
  func perfect() throws {
    let result = try call(3).run()
    #expect(result.listeners.map(\.uid) == [1, 2, 3])
    for listener in result.listeners {
      #expect(listener.heard.map(\.uid) == [1, 2, 3].filter { $0 != listener.uid })
      for heard in listener.heard {
        #expect(heard.packetsSent == 150)
        #expect(heard.statistics.concealedSamples == 0)
        #expect(heard.statistics.packetsLost == 0)
        #expect(heard.buffer.milliseconds(atQuantile: 1) <= 30)
        #expect(heard.statistics.ledger.imbalance() == 0)
        let mos = try #require(heard.mos)
        #expect(mos > 4.3)
        #expect(heard.seconds.count == 3)
      }
    }
  }

  @Test("the same call gives the same bytes and results, another seed does not", .shows("simulate"))
  func determinism() throws {
    func run(seed: UInt64, _ folder: String) throws -> (CallResult, [String: Data]) {
      var call = try call(2, Self.bad, seed: seed)
      call.outputs = CallOutputs(eachFolder: try files.folder(folder), mixedPath: files.path("\(folder)/m.wav"))
      return (try call.run(), try files.contents(folder))
    }
    let (first, bytes) = try run(seed: 5, "a")
    let (second, same) = try run(seed: 5, "b")
    let (third, other) = try run(seed: 6, "c")
    #expect(bytes.keys.sorted() == ["1.wav", "1_from_2.wav", "2.wav", "2_from_1.wav", "m.wav"])
    #expect(bytes == same)
    #expect(bytes["2.wav"] != other["2.wav"])
    for (one, two, three) in zip3(first.listeners, second.listeners, third.listeners) {
      for (left, (right, different)) in zip(one.heard, zip(two.heard, three.heard)) {
        #expect(left.seconds == right.seconds && left.statistics == right.statistics)
        #expect(left.seconds != different.seconds)
      }
    }
  }

  @Test("other users do not change the reception of one user by another", .shows("simulate"))
  func independence() throws {
    let two = try call(2, Self.bad).run().listeners[1].heard[0]
    let three = try call(3, Self.bad).run().listeners[1].heard[0]
    #expect(two.uid == 1 && three.uid == 1)
    #expect(two.seconds == three.seconds)
  }

  @Test("the reported delay is the delay of the sound", .shows("simulate"), arguments: [0, 40])
  func delay(milliseconds: Int) throws {
    var call = try call(2, NetworkConditions(delay: .milliseconds(milliseconds)))
    call.outputs = CallOutputs(eachFolder: try files.folder("d\(milliseconds)"))
    let heard = try call.run().listeners[1].heard[0]
    let input = try files.samples("1.wav")
    let output = try files.samples("d\(milliseconds)/2_from_1.wav")
    // What is found by comparing the sound knows nothing of packets.
    let lag = bestLag(of: input, in: output, upTo: 9_600)
    #expect(abs(Double(lag) / 48 - heard.delay.meanMilliseconds) <= 1)
    #expect(heard.delay.meanMilliseconds >= Double(milliseconds))
  }

  @Test("the null codec delivers every packet number and the link's losses")
  func null() throws {
    var call = try call(2, Self.bad)
    call.codec = .null(.milliseconds20)
    call.resendsPackets = false
    call.durationSeconds = 60
    for listener in try call.run().listeners {
      let heard = listener.heard[0]
      #expect(heard.statistics.payloadMismatches == 0)
      #expect(heard.packetsSent == 3_000)
      #expect(heard.link.delivered == heard.statistics.packetsReceived)
      // 10 % of 3000, within four standard deviations.
      #expect(abs(heard.link.lost - 300) < 66)
    }
  }

  @Test("without a codec a mute is a pause without concealment or score")
  func nullMute() throws {
    var call = try call(2, NetworkConditions(delay: .milliseconds(20), jitter: .uniform(plusMinus: .milliseconds(10))))
    call.codec = .null(.milliseconds20)
    call.durationSeconds = 10
    let events = #"{"time_s": 3, "name": "mute", "user": 1}, {"time_s": 7, "name": "unmute", "user": 1}"#
    call.script = try CallScript(parsing: #"{"schema": 1, "events": [\#(events)]}"#) { _ in throw CancellationError() }
    let heard = try call.run().listeners[1].heard[0]
    #expect(heard.statistics.concealedSamples == 0 && heard.statistics.payloadMismatches == 0)
    // 6 s of voice in packets of 20 ms, and one every 400 ms.
    #expect((309...312).contains(heard.packetsSent))
    // What was said before the mute may be heard in the second after it.
    #expect(heard.seconds.map { $0.mos == nil } == (0..<10).map { (5...6).contains($0) })
    #expect(heard.seconds.allSatisfy { $0.mos.map { $0 > 4 } ?? true })
  }

  @Test("a link's rate includes the headers of IP and UDP", .shows("simulate"))
  func wireRate() throws {
    // Half of what one packet in 20 ms takes with 12 bytes of RTP and 28 below; nothing waits.
    let packetBits = 8 * (28 + 12 + NullPayload.byteCount)
    var call = try call(
      2, NetworkConditions(bottleneck: Bottleneck(bitsPerSecond: packetBits * 25, queueByteLimit: 0)))
    call.codec = .null(.milliseconds20)
    call.resendsPackets = false
    call.durationSeconds = 20
    for heard in try call.run().listeners.flatMap(\.heard) {
      // Reports take some of it as well.
      #expect((480...560).contains(heard.link.dropped), "\(heard.link)")
    }
  }

  @Test("a user with a drifting clock is heard without loss")
  func drift() throws {
    var call = try call()
    call.users[0].driftPartsPerMillion = 300
    call.durationSeconds = 60
    let heard = try call.run().listeners[1].heard[0]
    #expect(heard.packetsSent == 3_000 || heard.packetsSent == 3_001)
    #expect(heard.statistics.packetsLost == 0)
    #expect(heard.statistics.ledger.imbalance() == 0)
  }

  @Test("a call without arriving packets is concealed and has the worst score")
  func nothing() throws {
    let heard = try call(2, NetworkConditions(loss: .bernoulli(probability: 1))).run().listeners[0].heard[0]
    #expect(heard.statistics.packetsReceived == 0 && heard.link.lost == heard.packetsSent)
    #expect(heard.concealedShare == 1)
    let mos = try #require(heard.mos)
    #expect(mos < 1.2)
    #expect(heard.seconds.allSatisfy { $0.mos.map { $0 < 1.2 } == true })
  }

  @Test("a delay of half a minute is reported as such")
  func longDelay() throws {
    var call = try call(2, NetworkConditions(delay: .seconds(30)))
    call.codec = .null(.milliseconds10)
    call.durationSeconds = 40
    let heard = try call.run().listeners[0].heard[0]
    #expect(abs(heard.delay.meanMilliseconds - 30_000) < 100 || heard.delay.milliseconds(atQuantile: 0.5) == 2_000)
    let mos = try #require(heard.mos)
    #expect(mos < 1.2)
  }

  @Test("a voice that pauses with DTX is neither lost nor concealed")
  func pauses() throws {
    var call = try call()
    call.codec = .opus(OpusOptions(discontinuousTransmission: true, application: .voip))
    call.durationSeconds = 8
    let heard = try call.run().listeners[0].heard[0]
    #expect(heard.packetsSent < 300)
    #expect(heard.statistics.packetsLost == 0)
    #expect(heard.concealedShare < 0.02)
    let mos = try #require(heard.mos)
    #expect(mos > 4)
  }

  @Test(
    "a duration is kept to the tick, whatever its fraction is in binary", arguments: [(1.1, 52_800), (0.07, 3_360)])
  func duration(seconds: Double, samples: Int) throws {
    var call = try call()
    call.durationSeconds = seconds
    call.outputs = CallOutputs(mixedPath: files.path("m\(samples).wav"))
    let heard = try call.run().listeners[0].heard[0]
    #expect(try files.samples("m\(samples).wav").count == samples)
    #expect(heard.seconds.count == Int(seconds.rounded(.up)))
  }

  @Test("impossible calls are refused with their own errors")
  func refusals() throws {
    func error(_ change: (inout SimulatedCall) -> Void) throws -> SimulationError? {
      var call = try call()
      change(&call)
      return #expect(throws: SimulationError.self) { try call.run() }
    }
    #expect(try error { $0.users.removeLast() } == .tooFewUsers)
    #expect(try error { $0.users[0].uid = 0 } == .reservedUID)
    #expect(try error { $0.users[0].uid = 2 } == .sameUID(2))
    #expect(try error { $0.durationSeconds = -1 } == .duration(-1))
  }
}

private func zip3<A, B, C>(_ a: [A], _ b: [B], _ c: [C]) -> [(A, B, C)] { a.indices.map { (a[$0], b[$0], c[$0]) } }

/// The lag at which one sound is most like another.
private func bestLag(of sound: [Float], in other: [Float], upTo limit: Int) -> Int {
  let window = 24_000..<72_000
  func likeness(_ lag: Int) -> Float {
    var sum: Float = 0
    for index in window where index + lag < other.count { sum += sound[index] * other[index + lag] }
    return sum
  }
  // Coarsely first: the voice's harmonics are wide.
  let coarse = stride(from: 0, to: limit, by: 8).max { likeness($0) < likeness($1) }!
  return (max(0, coarse - 16)...coarse + 16).max { likeness($0) < likeness($1) }!
}
