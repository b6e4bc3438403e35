import CallSimulation
import Engine
import FrameObservers
import MediaStreams
import Metering
import NetworkSimulation
import OpusCodec
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct CallStreamEventsTests {
  private let files = CallFiles()

  private func call(_ events: String, seconds: Double = 3, users: UInt32 = 2) throws -> SimulatedCall {
    var call = SimulatedCall(users: [], codec: .null(.milliseconds20), durationSeconds: seconds)
    for uid in 1...users {
      call.users.append(CallUser(uid: uid, path: try files.voice("\(uid).wav", seed: UInt64(uid), seconds: 1)))
    }
    call.script = try CallScript(parsing: "{\"schema\": 1, \"events\": [\(events)]}") { _ in throw CancellationError() }
    return call
  }

  /// What a listener was told of a user: milliseconds, state, reason.
  private func states(_ result: CallResult, _ listener: UInt32, _ uid: UInt32) -> [[Int]] {
    result.events.compactMap { event in
      guard case .pipeline(.remoteAudioState(let change), listener) = event.kind, change.speaker.uid == uid else {
        return nil
      }
      return [event.nanoseconds / 1_000_000, change.state.rawValue, change.reason.rawValue]
    }
  }

  @Test("a mute arrives after the link's delay and is not a freeze", .shows("D5"))
  func mute() throws {
    var call = try call(
      """
      {"time_s": 1, "name": "mute", "user": 1}, {"time_s": 2, "name": "unmute", "user": 1},
      {"time_s": 2.5, "name": "mute", "user": 1, "listener": 2}
      """, users: 3)
    call.conditions = try NetworkConditions(delay: .milliseconds(40))
    let result = try call.run()
    for listener: UInt32 in [2, 3] {
      let told = states(result, listener, 1)
      #expect(told.map { Array($0[1...]) }.prefix(4) == [[1, 0], [2, 0], [0, 5], [2, 6]])
      #expect(told[2][0] == 1_040)
      #expect((2_040...2_120).contains(told[3][0]))
      #expect(Array(told.dropFirst(4)) == (listener == 2 ? [[2_500, 0, 3]] : []))
    }
    #expect(states(result, 1, 2).map { Array($0[1...]) } == [[1, 0], [2, 0]])
    let mutes = result.events.compactMap { event -> [Int]? in
      guard case .pipeline(.remoteMuted(let id, let isMuted), 2) = event.kind else { return nil }
      return [event.nanoseconds / 1_000_000, Int(id.uid), isMuted ? 1 : 0]
    }
    #expect(mutes == [[1_040, 1, 1], [2_040, 1, 0]])
  }

  @Test(
    "a joining user is notified of mutes, and its time begins at its join",
    arguments: [SenderCodec.null(.milliseconds20), .opus(OpusOptions(complexity: 0, packetDuration: .milliseconds20))])
  func joining(codec: SenderCodec) throws {
    var call = try call(
      """
      {"time_s": 0.3, "name": "mute", "user": 1}, {"time_s": 1, "name": "join", "user": 2},
      {"time_s": 1.5, "name": "unmute", "user": 1}, {"time_s": 2, "name": "leave", "user": 2}
      """)
    call.codec = codec
    let result = try call.run()
    let told = states(result, 2, 1)
    try #require(told.map { Array($0[1...]) } == [[2, 6], [0, 7]])
    #expect((1_500...1_540).contains(told[0][0]) && told[1][0] == 2_000)
    let first = result.events.compactMap { event -> RemoteAudioChange? in
      guard case .pipeline(.remoteAudioState(let change), 2) = event.kind else { return nil }
      return change
    }.first
    #expect(first?.elapsedMilliseconds == told[0][0] - 1_000)
    #expect(states(result, 1, 2).map { Array($0[1...]) } == [[1, 0], [2, 0], [0, 7]])
  }

  @Test("a stalled link freezes its direction until it is offline after 15 s", .shows("D5"))
  func outage() throws {
    let result = try call(
      """
      {"time_s": 1, "name": "network", "from": 1, "to": 2, "loss_percent": 100},
      {"time_s": 3, "name": "network", "from": 1, "to": 2, "loss_percent": 0},
      {"time_s": 5, "name": "network", "from": 1, "to": 2, "loss_percent": 100},
      {"time_s": 21, "name": "network", "from": 1, "to": 2, "loss_percent": 0}
      """, seconds: 22
    ).run()
    let told = states(result, 2, 1)
    #expect(told.map { Array($0[1...]) } == [[1, 0], [2, 0], [3, 1], [2, 2], [3, 1], [0, 7], [1, 0], [2, 0]])
    guard told.count == 8 else { return }
    #expect((1_200...1_260).contains(told[2][0]) && (3_000...3_080).contains(told[3][0]))
    // The last packet of the 5th second comes in its last frame.
    #expect((19_990...20_020).contains(told[5][0]) && (21_000...21_040).contains(told[6][0]))
    #expect(states(result, 1, 2).map { Array($0[1...]) } == [[1, 0], [2, 0]])
  }

  @Test("a voice that pauses with DTX is not frozen")
  func pauses() throws {
    var call = try call("", seconds: 8)
    call.codec = .opus(OpusOptions(discontinuousTransmission: true, application: .voip))
    let result = try call.run()
    #expect(result.listeners[1].heard[0].packetsSent < 300)
    #expect(states(result, 2, 1).map { Array($0[1...]) } == [[1, 0], [2, 0]])
  }

  @Test("statistics come only on request, and are the same for the same call", .shows("D9"))
  func statistics() throws {
    func events(_ logs: Bool) throws -> [SimulationEvent] {
      var call = try call("", seconds: 5)
      call.logsStatistics = logs
      call.conditions = try NetworkConditions(
        loss: .bernoulli(probability: 0.1), delay: .milliseconds(50), jitter: .uniform(plusMinus: .milliseconds(30)))
      return try call.run().events
    }
    let (with, again, without) = (try events(true), try events(true), try events(false))
    #expect(with == again)
    #expect(without.allSatisfy { if case .pipeline(.remoteAudioState, _) = $0.kind { true } else { false } })
    // Each of the two, at 2 and 4 s: its call, its voice, the other, and the quality of both.
    #expect(with.count - without.count == 2 * 2 * 5)
  }

  @Test(
    "a user's statistics have its sent loss, round trip and both grades",
    .shows("D9"))
  func feedback() throws {
    var call = try call(
      "{\"time_s\": 0, \"name\": \"network\", \"from\": 1, \"to\": 2, \"loss_percent\": 15}", seconds: 64)
    call.conditions = try NetworkConditions(delay: .milliseconds(50))
    call.logsStatistics = true
    let events = try call.run().events
    func calls(_ user: UInt32) -> [CallStatistics] {
      events.compactMap { event in
        guard case .pipeline(.callStatistics(let statistics), user) = event.kind else { return nil }
        return statistics
      }
    }
    func quality(_ user: UInt32, of uid: UInt32) -> [NetworkQualityReport] {
      events.compactMap { event in
        guard case .pipeline(.networkQuality(let report), user) = event.kind, report.uid == uid else { return nil }
        return report
      }
    }
    let losses = calls(1).dropFirst(3).compactMap(\.sentLoss)
    #expect(losses.count == 29)
    // 29 reports of about 50 packets: a standard deviation of 1 %.
    let meanLoss: Double = losses.reduce(0, +) / Double(losses.count)
    #expect(abs(meanLoss - 0.15) < 0.05)
    #expect(calls(2).dropFirst(3).allSatisfy { $0.sentLoss == 0 })
    for user: UInt32 in [1, 2] {
      // Twice 50 ms, to the units of RTCP, 1/65536 s.
      for statistics in calls(user).dropFirst(3) {
        let delay: Double = statistics.lastMileDelayMilliseconds ?? 0
        #expect(abs(delay - 100) < 0.1)
      }
    }
    let sent = quality(1, of: 0).dropFirst(3).map(\.sent.rawValue)
    #expect(sent.sorted()[sent.count / 2] == 4)
    #expect(quality(1, of: 2).dropFirst(3).map(\.received.rawValue) == sent)
    #expect(quality(2, of: 0).dropFirst(3).allSatisfy { $0.sent == .excellent && $0.received.rawValue >= 2 })
  }

  @Test("as loss rises and falls each grade from 1 to 6 is visited in order", .shows("D10"))
  func sweep() throws {
    let losses = [0, 3.5, 7.5, 15, 35, 100, 35, 15, 7.5, 3.5, 0]
    let stage = 12
    let events = losses.enumerated().map { index, loss in
      "{\"time_s\": \(index * stage), \"name\": \"network\", \"loss_percent\": \(loss)}"
    }
    var call = try call(events.joined(separator: ","), seconds: Double(losses.count * stage))
    call.codec = .null(.milliseconds10)
    call.logsStatistics = true
    var grades = [[Int]](repeating: [], count: losses.count)
    for event in try call.run().events {
      guard case .pipeline(.networkQuality(let report), 2) = event.kind, report.uid == 0 else { continue }
      grades[min(losses.count - 1, (event.nanoseconds / 1_000_000_000 - 1) / stage)].append(report.received.rawValue)
    }
    // Chance moves single reports, and the one behind an outage has what was lost in it.
    #expect(grades.map { $0.sorted()[$0.count / 2] } == [1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1])
  }
}
