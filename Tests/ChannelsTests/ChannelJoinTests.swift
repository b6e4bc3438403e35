import Channels
import Signalling
import TestSupport
import Testing

/// Joins of a connection, at 40 ms of round trip.
@Suite(.timeLimit(.minutes(10))) struct ChannelJoinTests {
  /// The WebSocket, `hello`, `join` take one round trip each, and the transport two.
  @Test("a join reports its states, then the users in order", .shows("C6", "C8"))
  func join() throws {
    let rig = ChannelRig()
    rig.relay.users = [
      ChannelUser(uid: 9, muted: true, publishes: true, ssrc: 2_002), ChannelUser(uid: 8, publishes: true, ssrc: 2_001),
    ]
    rig.connection.start(nowNanoseconds: 0)
    try rig.run(to: 3_000)
    #expect(
      rig.log == [
        "0 state 2/0", "200 state 3/1", "200 joined 7 after 200", "200 source 1001", "200 user 8 after 120",
        "200 user 9 after 120",
      ])
    #expect(rig.relay.hellos.map(\.credential) == [.token(SecretText("a.b.c"))])
    #expect(rig.relay.joins.map(\.user) == [.uid(7)])
  }
}
