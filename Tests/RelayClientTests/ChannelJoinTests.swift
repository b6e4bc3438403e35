import RelayClient
import Signalling
import TestSupport
import Testing
import WebRTC

/// Joins and leaves of a connection, at 40 ms of round trip.
@Suite(.timeLimit(.minutes(10))) struct ChannelJoinTests {
  /// The WebSocket takes one round trip, `hello` and `join` another one, and the transport two.
  @Test("a join reports its states, then the users in order", .shows("C6", "C8"))
  func join() throws {
    let rig = ChannelRig()
    rig.relay.users = [
      ChannelUser(uid: 9, muted: true, publishes: true, ssrc: 2_002), ChannelUser(uid: 8, publishes: true, ssrc: 2_001),
    ]
    rig.membership.start(nowNanoseconds: 0)
    try rig.run(to: 3_000)
    #expect(
      rig.log == [
        "0 state 2/0", "160 state 3/1", "160 joined 7 after 160", "160 source 1001", "160 user 8 after 160",
        "160 user 9 after 160",
      ])
    #expect(rig.relay.hellos.map(\.credential) == [.token(SecretText("a.b.c"))])
    #expect(rig.relay.joins.map(\.user) == [.uid(7)])
    #expect(rig.relay.joins.map(\.publishes) == [true] && rig.relay.joins.map(\.role) == [.broadcaster])
  }

  @Test("uid 0 gets a uid of the relay, and a rejoin requests the same", .shows("C3"))
  func assigned() throws {
    let rig = ChannelRig(user: .uid(0))
    rig.membership.start(nowNanoseconds: 0)
    try rig.run(to: 1_000)
    #expect(rig.log.contains("160 joined 77 after 160"))
    rig.cutSignalling()
    try rig.run(to: 2_000)
    #expect(rig.relay.joins.map(\.user) == [.uid(0), .uid(77)])
  }

  @Test(
    "a refused session fails with its code and reason, without a retry", .shows("C5", "C8"),
    arguments: [
      (ChannelErrorCode.invalidToken, ConnectionReason.invalidToken), (.invalidToken, .invalidAppID),
      (.refused, .rejected), (.refused, .bannedByServer),
    ])
  func refusedSession(_ code: ChannelErrorCode, _ reason: ConnectionReason) throws {
    let rig = ChannelRig()
    rig.relay.helloRefusal = FailureReport(code: code, reason: reason, sentence: "no")
    rig.membership.start(nowNanoseconds: 0)
    try rig.run(to: 60_000)
    #expect(rig.log == ["0 state 2/0", "80 error \(code.rawValue)", "80 state 5/\(reason.rawValue)"])
    #expect(rig.openedRelays.count == 1 && rig.session.nextDeadlineNanoseconds == nil)
  }

  @Test(
    "a refusal of the join fails with its code and reason", .shows("C5", "C8"),
    arguments: [
      (ChannelErrorCode.channelName, ConnectionReason.invalidChannel), (.user, .joinFailed),
      (.invalidToken, .invalidToken), (.refused, .tooManyBroadcasters),
    ])
  func refusedJoin(_ code: ChannelErrorCode, _ reason: ConnectionReason) throws {
    let rig = ChannelRig()
    rig.relay.joinRefusal = FailureReport(code: code, reason: reason, sentence: "no")
    rig.membership.start(nowNanoseconds: 0)
    try rig.run(to: 60_000)
    #expect(rig.log == ["0 state 2/0", "80 error \(code.rawValue)", "80 state 5/\(reason.rawValue)"])
    #expect(rig.openedRelays.count == 1)
  }

  @Test("a join refused for a limit fails, and names the limit", .shows("C21"))
  func limit() throws {
    let rig = ChannelRig()
    let limit = NamedLimit(name: "users", value: 17, setting: "--max-users")
    rig.relay.joinRefusal = FailureReport(code: .refused, sentence: "the channel is full", limit: limit)
    rig.membership.start(nowNanoseconds: 0)
    try rig.run(to: 60_000)
    #expect(rig.log.last == "80 state 5/4")
    #expect(rig.events.contains(.failed(ChannelError(.refused, "the channel is full", cause: .limit, limit: limit))))
  }

  @Test("a session of the same uid elsewhere ends this one for good", .shows("C1a", "C8"))
  func replaced() throws {
    let rig = try ChannelRig.joined()
    rig.relay.send(.failed(FailureReport(code: .refused, reason: .sameUserLogin, sentence: "replaced")))
    try rig.run(to: 60_000)
    #expect(rig.log == ["1020 error -5", "1020 state 5/19"])
    #expect(rig.openedRelays.count == 1 && !rig.membership.canSend)
  }

  @Test("a leave reaches the relay on both paths, and ends every timer", .shows("C1", "C8"))
  func leave() throws {
    let rig = try ChannelRig.joined()
    rig.membership.leave(nowNanoseconds: rig.now)
    try rig.run(to: 60_000)
    #expect(rig.log == ["1040 state 1/5", "1040 left"])
    #expect(rig.relay.hasClosed && rig.relay.received.contains { if case .leave = $0 { true } else { false } })
    #expect(rig.session.nextDeadlineNanoseconds == nil)
  }

  @Test("a leave ends the media connection after its answer", .shows("C7"))
  func leaveBeforeClosing() throws {
    let rig = try ChannelRig.joined()
    rig.membership.leave(nowNanoseconds: rig.now)
    try rig.run(to: 1_030)
    #expect(rig.relay.received.contains { if case .leave = $0 { true } else { false } })
    #expect(!rig.relay.hasClosed && !rig.membership.canSend)
    try rig.run(to: 1_100)
    #expect(rig.relay.hasClosed)
  }

  @Test("a relay that ends the media connection of a leave causes no join", .shows("C1"))
  func closedDuringLeave() throws {
    let rig = try ChannelRig.joined()
    rig.relay.answers = false
    rig.membership.leave(nowNanoseconds: rig.now)
    rig.relay.transport?.close(nowNanoseconds: rig.now)
    try rig.run(to: 60_000)
    #expect(rig.log == ["2000 state 1/5", "2000 left"])
    #expect(rig.openedRelays.count == 1 && rig.relay.joins.count == 1)
  }

  @Test("a leave without an answer ends after 1 s", .shows("C1"))
  func unansweredLeave() throws {
    let rig = try ChannelRig.joined()
    rig.isOpen = false
    rig.membership.leave(nowNanoseconds: rig.now)
    try rig.run(to: 60_000)
    #expect(rig.log == ["2000 state 1/5", "2000 left"])
  }

  @Test("the end of a session by the app id alone is a leave", .shows("C16"))
  func appOnly() throws {
    let rig = try ChannelRig.joined()
    rig.relay.send(.failed(FailureReport(code: .refused, reason: .leave, sentence: "24 h are over")))
    try rig.run(to: 60_000)
    #expect(rig.log == ["1020 state 1/5", "1020 left"])
  }
}
