import AudioGraph
import CallSimulation
import Calls
import Engine
import Foundation
import MediaStreams
import NetworkSimulation
import OpusCodec
import Signalling
import TestSupport
import Testing

/// One-to-one calls in scripts: both users prepare at 0 s.
@Suite(.timeLimit(.minutes(10))) struct OneToOneCallTests {
  private let calls = ChannelCalls()

  private static let prepared =
    #"{"time_s": 0, "name": "prepare", "user": 1, "text": "Ann"}, "#
    + #"{"time_s": 0, "name": "prepare", "user": 2, "text": "Bob"}, "#
  /// A call that is accepted after 1 s.
  private static let accepted =
    prepared
    + #"{"time_s": 2, "name": "call", "user": 1, "to": 2, "text": "hello"}, "#
    + #"{"time_s": 3, "name": "accept", "user": 2}"#
  private static func hangup(_ user: Int, at time: Double) -> String {
    #", {"time_s": \#(time), "name": "hangup", "user": \#(user), "reason": "bye"}"#
  }
  private static let caller = ["1/0", "2/31", "3/7", "4/13", "1/9 bye"]
  private static let callee = ["1/0", "2/33", "3/8", "4/13", "1/10 bye"]

  private func run(
    _ count: Int = 2, seconds: Double, _ events: String, delay: Int = 50, loss: Double = 0.1, seed: UInt64 = 1,
    each folder: String? = nil
  ) throws -> CallResult {
    var call = try calls.call(
      count, seconds: seconds, conditions: try ChannelCalls.delay(delay, loss: loss), events: events, each: folder)
    call.seed = seed
    return try call.run()
  }

  private func level(of uid: UInt32, at listener: Int, _ folder: String, from start: Double) throws -> Double {
    let samples = try calls.files.samples("\(folder)/\(listener).wav")
    return toneAmplitude(
      of: ChannelCalls.hertz(uid), in: samples[Int(start * 48_000)..<Int((start + 0.4) * 48_000)], sampleRate: 48_000)
  }

  @Test("users ring, talk and hang up over a path with delay and loss", .shows("K3", "K4", "K5", "K6", "K8"))
  func talk() throws {
    let result = try run(seconds: 12, Self.accepted + Self.hangup(1, at: 9), each: "talk")
    #expect(result.states(of: 1) == Self.caller && result.states(of: 2) == Self.callee)
    #expect(result.numbers(of: 1) == [141, 99, 103, 10, 5, 111, 107, 130, 113, 105, 112])
    #expect(Set(result.numbers(of: 2)) == [143, 104, 10, 5, 111, 107, 130, 113, 106, 108, 112])
    for user in 1...2 as ClosedRange<UInt32> {
      #expect(result.outcomes(of: user).allSatisfy { $0.hasSuffix(" 0") }, "\(result.outcomes(of: user))")
      let connected = try #require(
        result.time(of: user) { if case .connected("room-1-1", 1) = $0 { true } else { false } })
      #expect((3.1...4).contains(connected))
      let ended = result.time(of: user) { news in
        guard case .disconnected("room-1-1", 1, let duration) = news else { return false }
        return (4_900...6_000).contains(duration)
      }
      #expect(try (9...9.2).contains(#require(ended)))
      let heard = try #require(result.listeners[Int(user) - 1].heard.first)
      #expect(result.listeners[Int(user) - 1].heard.count == 1 && heard.channel?.text == "room-1-1")
      // A tenth is lost on each of two links.
      #expect((500...620).contains(heard.packetsSent) && (0.1...0.3).contains(heard.concealedShare))
      #expect(heard.statistics.ledger.imbalance() == 0 && heard.seconds.filter { $0.timeSeconds > 9 }.isEmpty)
      // The file begins with the connected call.
      #expect(try level(of: 3 - user, at: Int(user), "talk", from: 5) > 0.15)
      #expect(try level(of: 3 - user, at: Int(user), "talk", from: 2.5) == 0)
      #expect(try level(of: 3 - user, at: Int(user), "talk", from: 10) == 0)
    }
    #expect(
      result.infos(of: 2).map { [$0["fromUserExtension"], $0["callExtension"], $0["roomId"]] }
        == [["Ann", "hello", "room-1-1"]])
  }

  @Test("the script of Simulation.md is a call that a user hangs up", .shows("K3"))
  func page() throws {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../../..")
    let page = try String(contentsOf: root.appendingPathComponent("Documentation/Simulation.md"), encoding: .utf8)
    let script = try #require(
      page.components(separatedBy: "```").first { $0.hasPrefix("json") && $0.contains("lunch?") })
    var call = try calls.call(2, seconds: 6)
    call.script = try CallScript(parsing: String(script.dropFirst(4))) { _ in throw CancellationError() }
    let result = try call.run()
    #expect(result.states(of: 1) == Self.caller && result.states(of: 2) == Self.callee)
  }

  @Test("a third user hears that both are busy, and they talk on", .shows("K10"))
  func busy() throws {
    let third =
      #", {"time_s": 1, "name": "prepare", "user": 3, "room": "c"}, "#
      + #"{"time_s": 5, "name": "call", "user": 3, "to": 1}, {"time_s": 6, "name": "call", "user": 3, "to": 2}"#
    let result = try run(3, seconds: 10, Self.accepted + third + Self.hangup(2, at: 8))
    #expect(result.states(of: 1) == ["1/0", "2/31", "3/7", "4/13", "1/10 bye"])
    #expect(result.states(of: 2) == ["1/0", "2/33", "3/8", "4/13", "1/9 bye"])
    #expect(result.states(of: 3) == ["1/0", "2/31", "1/17", "2/31", "1/17"])
    #expect(result.listeners.map { $0.heard.map(\.uid) } == [[2], [1], []])
  }

  @Test("a call outlives restarts of the relay, ringing and connected", .shows("C9", "K10"))
  func restarts() throws {
    let result = try run(
      seconds: 24,
      Self.prepared + #"{"time_s": 2, "name": "call", "user": 1, "to": 2}, {"time_s": 3, "name": "stopRelay"}, "#
        + #"{"time_s": 3.5, "name": "startRelay"}, {"time_s": 10, "name": "accept", "user": 2}, "#
        + #"{"time_s": 13, "name": "stopRelay"}, {"time_s": 13.5, "name": "startRelay"}"#
        + Self.hangup(1, at: 22))
    #expect(result.states(of: 1) == Self.caller && result.states(of: 2) == Self.callee)
    for listener in result.listeners {
      let seconds = try #require(listener.heard.first).seconds
      for time in [12, 21] { #expect(try #require(seconds.first { $0.timeSeconds == time }).packets > 60) }
    }
  }

  @Test("a call continues for a user that changes its address", .shows("C9"), arguments: [false, true])
  func addresses(isNewNetwork: Bool) throws {
    let move = #", {"time_s": 6, "name": "changeAddress", "user": 2, "new_network": \#(isNewNetwork)}"#
    let result = try run(seconds: 20, Self.accepted + move + Self.hangup(1, at: 18))
    #expect(result.states(of: 1) == Self.caller && result.states(of: 2) == Self.callee)
    for listener in result.listeners {
      #expect(try #require(listener.heard.first?.seconds.first { $0.timeSeconds == 16 }).packets > 60)
    }
  }

  @Test("calls that are cancelled, rejected or too long have their reasons", .shows("K3", "K5"))
  func ends() throws {
    let result = try run(
      seconds: 14,
      Self.prepared
        + #"{"time_s": 1, "name": "call", "user": 1, "to": 2}, {"time_s": 2, "name": "cancel", "user": 1}, "#
        + #"{"time_s": 3, "name": "call", "user": 2, "to": 1}, "#
        + #"{"time_s": 4, "name": "reject", "user": 1, "reason": "later"}, "#
        + #"{"time_s": 5, "name": "prepare", "user": 1, "room": "own", "timeout_ms": 2000}, "#
        + #"{"time_s": 6, "name": "call", "user": 1, "to": 2}, {"time_s": 7, "name": "call", "user": 1, "to": 2}, "#
        + #"{"time_s": 9, "name": "accept", "user": 2}, {"time_s": 10, "name": "hangup", "user": 2}"#)
    #expect(result.states(of: 1) == ["1/0", "2/31", "1/11", "2/33", "1/5 later", "2/31", "1/14"])
    #expect(result.states(of: 2) == ["1/0", "2/33", "1/12", "2/31", "1/6 later", "2/33", "1/18"])
    #expect(
      result.outcomes(of: 1)
        == ["prepare 0", "call 0", "cancel 0", "reject 0", "prepare 0", "call -8", "call 0"]
        .sorted())
    #expect(result.outcomes(of: 2) == ["accept -8", "call 0", "hangup -8", "prepare 0"])
    #expect(result.listeners.allSatisfy { $0.heard.isEmpty })
  }

  @Test("calls without the relay or the other user fail with numbers", .shows("K3", "K7"))
  func offline() throws {
    let result = try run(
      seconds: 16,
      #"{"time_s": 0, "name": "join", "user": 2, "channel": "else"}, {"time_s": 0, "name": "stopRelay"}, "#
        + #"{"time_s": 0, "name": "prepare", "user": 1}, {"time_s": 11, "name": "startRelay"}, "#
        + #"{"time_s": 12, "name": "leave", "user": 2, "channel": "else"}, "#
        + #"{"time_s": 12, "name": "prepare", "user": 1}, {"time_s": 14, "name": "call", "user": 1, "to": 2}"#)
    #expect(result.states(of: 1).map { $0.prefix(4) } == ["1/0", "2/31", "1/4 "])
    let outcomes = result.outcomes(of: 1)
    #expect(outcomes.count == 3 && outcomes.count { $0.hasSuffix(" 0") } == 1, "\(outcomes)")
  }

  @Test("a mute holds in the room of a call, from before it or during it", .shows("K3"))
  func mutes() throws {
    let events =
      Self.accepted + #", {"time_s": 1, "name": "mute", "user": 1}, "#
      + #"{"time_s": 7, "name": "unmute", "user": 1}, {"time_s": 7, "name": "mute", "user": 2, "listener": 1}"#
    let result = try run(seconds: 10, events, loss: 0, each: "mutes")
    #expect(result.states(of: 1) == Array(Self.caller.prefix(4)) && result.states(of: 2).count == 4)
    #expect(try level(of: 1, at: 2, "mutes", from: 6) == 0 && level(of: 1, at: 2, "mutes", from: 8) > 0.2)
    #expect(try level(of: 2, at: 1, "mutes", from: 6) > 0.2 && level(of: 2, at: 1, "mutes", from: 8) < 0.001)
  }

  @Test("calls and sound are equal for a seed", .shows("K3"))
  func seeds() throws {
    let events = Self.accepted + Self.hangup(1, at: 5)
    let results = try [("a", 7), ("b", 7), ("c", 8)].map { folder, seed in
      try run(seconds: 7, events, seed: seed, each: folder)
    }
    #expect(results[0].events == results[1].events && results[0].events != results[2].events)
    #expect(try calls.files.contents("a") == calls.files.contents("b"))
  }

  @Test("a script without calls is the same behind one with calls", .shows("simulate: channels"))
  func withoutCalls() throws {
    let events =
      #"{"time_s": 0, "name": "join", "user": 1, "channel": "b"}, "#
      + #"{"time_s": 0, "name": "join", "user": 2, "channel": "b"}"#
    let first = try run(seconds: 4, events, each: "before")
    _ = try run(seconds: 4, Self.accepted)
    let second = try run(seconds: 4, events, each: "behind")
    #expect(first.events == second.events)
    #expect(try calls.files.contents("before") == calls.files.contents("behind"))
  }

  @Test(
    "a wrong script of calls is refused in one sentence", .shows("simulate: wrong scripts"),
    arguments: [
      (#""call", "user": 1, "to": 2"#, "event 1: user 1 has not prepared calls at 1 s; let it prepare first"),
      (#""hangup", "user": 1"#, "event 1: user 1 has not prepared calls at 1 s; let it prepare first"),
      (#""prepare", "user": 9"#, "event 1: 9 is not a user of the call; the users are 1, 2"),
      (#""call", "user": 2, "to": 9"#, "event 1: 9 is not a user of the call; the users are 1, 2"),
      (#""call", "user": 2, "to": 2"#, "event 1: user 2 cannot call itself; name another user"),
      (#""call", "user": 2"#, "event 1: the key 'to' is missing"),
      (#""accept", "to": 2"#, "event 1: 'accept' has no key 'to'; use time_s, name, user"),
      (#""cancel", "user": 2, "reason": "x""#, "event 1: 'cancel' has no key 'reason'; use time_s, name, user"),
      (#""reject", "user": 2, "reason": 3"#, "event 1: 'reason' is a text, not 3"),
      (#""prepare", "user": 2, "room": "a/b""#, "event 1: 'room' has 1 to 64 of the ASCII letters"),
      (
        #""prepare", "user": 2, "timeout_ms": -1"#,
        "event 1: 'timeout_ms' is a whole number from 0 to 3600000, not -1"
      ),
    ])
  func wrong(event: String, words: String) {
    let error = #expect(throws: ScriptError.self) {
      try run(seconds: 3, #"{"time_s": 0, "name": "prepare", "user": 2}, {"time_s": 1, "name": \#(event)}"#)
    }
    #expect(error?.description.hasPrefix(words) == true, "\(error?.description ?? "")")
  }

  @Test(
    "actions of calls need a relay", .shows("simulate: wrong scripts"),
    arguments: [
      ScriptAction.prepare(user: 1), .call(user: 1, to: 2), .accept(user: 1), .reject(user: 1), .hangup(user: 1),
      .cancel(user: 1),
    ])
  func direct(action: ScriptAction) throws {
    var call = try calls.call(2, seconds: 3)
    call.topology = .direct
    call.script = CallScript([ScriptEvent(seconds: 1, action: action)])
    let error = #expect(throws: ScriptError.self) { try call.run() }
    #expect(
      error?.description == "event 0: '\(action.name.rawValue)' needs a relay, and this call has none; use --relay, "
        + "or topology .relay")
  }
}

extension CallResult {
  /// News of a user's calls.
  private func news(of user: UInt32) -> [(seconds: Double, news: CallNews)] {
    events.compactMap { event in
      guard case .calls(let news, user) = event.kind else { return nil }
      return (event.seconds, news)
    }
  }

  /// States with their reasons by number, and the texts of ends: `1/9 bye`.
  fileprivate func states(of user: UInt32) -> [String] {
    news(of: user).compactMap { _, news in
      guard case .stateChanged(let state, let reason, let text, _) = news else { return nil }
      return "\(state.rawValue)/\(reason.rawValue)" + (text.isEmpty ? "" : " \(text)")
    }
  }

  fileprivate func infos(of user: UInt32) -> [[String: String]] {
    news(of: user).compactMap { _, news in
      guard case .stateChanged(_, _, _, let info) = news, !info.isEmpty else { return nil }
      return info
    }
  }

  fileprivate func numbers(of user: UInt32) -> [Int] {
    news(of: user).compactMap { _, news in if case .event(let event, _) = news { event.rawValue } else { nil } }
  }

  /// Outcomes of actions by number, sorted: an acknowledgement may come behind a later action.
  fileprivate func outcomes(of user: UInt32) -> [String] {
    news(of: user).compactMap { _, news in
      guard case .outcome(let action, let error) = news else { return nil }
      return "\(action.rawValue) \(error?.code ?? 0)"
    }.sorted()
  }

  fileprivate func time(of user: UInt32, _ isWanted: (CallNews) -> Bool) -> Double? {
    news(of: user).first { isWanted($0.news) }?.seconds
  }
}
