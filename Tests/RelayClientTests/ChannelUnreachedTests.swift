import NetworkIO
import RelayClient
import Signalling
import TestSupport
import Testing

/// First joins of a relay that cannot be reached.
@Suite(.timeLimit(.minutes(10))) struct ChannelUnreachedTests {
  private static let limit = 10_000_000_000

  @Test(
    "a permanent fault ends the first join at once, with its reason", .shows("C8"),
    arguments: [
      WebSocketError(.certificate("self-signed certificate"), "wss://relay.example/"),
      WebSocketError(.subprotocol, "wss://relay.example/"), WebSocketError(.certificateFile, "roots.pem"),
    ])
  func permanent(_ error: WebSocketError) throws {
    let rig = ChannelRig()
    (rig.isListening, rig.openError) = (false, error)
    rig.membership.start(nowNanoseconds: 0)
    try rig.run(to: 60_000)
    #expect(rig.log == ["0 state 2/0", "40 error -1", "40 state 5/4"])
    #expect(
      rig.events.contains(.failed(ChannelError(.general, error.description, cause: .other)))
        && rig.openedRelays.count == 1)
  }

  @Test("after a loss the same fault is tried again", .shows("C8"))
  func rejoin() throws {
    let rig = try ChannelRig.joined()
    (rig.isListening, rig.openError) = (false, WebSocketError(.certificate("expired"), "wss://relay.example/"))
    rig.cutSignalling()
    try rig.run(to: 5_000)
    #expect(rig.openedRelays.count > 2 && rig.membership.failure?.message.contains("expired") == true)
    rig.isListening = true
    try rig.run(to: 40_000)
    #expect(rig.membership.state == .connected && rig.membership.failure == nil)
  }

  @Test("a join with a limit fails at it with the reason of the newest attempt", .shows("C8", "D1"))
  func limit() throws {
    let rig = ChannelRig(joinLimitNanoseconds: Self.limit)
    rig.isListening = false
    rig.membership.start(nowNanoseconds: 0)
    try rig.run(to: 60_000)
    #expect(rig.log.first == "0 state 2/0" && rig.log.suffix(2) == ["10000 error -1", "10000 state 5/4"])
    #expect(rig.events.contains(.failed(ChannelError(.general, rig.openError.description, cause: .unreached))))
    #expect(rig.session.nextDeadlineNanoseconds == nil)
  }

  @Test("a join without a reached media address fails with a hint", .shows("C8"))
  func media() throws {
    let rig = ChannelRig(joinLimitNanoseconds: Self.limit)
    rig.loss = 100
    rig.membership.start(nowNanoseconds: 0)
    try rig.run(to: 60_000)
    #expect(rig.log.suffix(2) == ["10000 error -1", "10000 state 5/4"])
    guard case .failed(let error)? = rig.events.first(where: { if case .failed = $0 { true } else { false } }) else {
      Issue.record("\(rig.events)")
      return
    }
    #expect(error.message.contains("--advertise") && error.message.contains("192.0.2."))
  }

  @Test("a limit says nothing about a channel that is joined")
  func joined() throws {
    let rig = ChannelRig(joinLimitNanoseconds: Self.limit)
    rig.membership.start(nowNanoseconds: 0)
    try rig.run(to: 60_000)
    #expect(rig.membership.state == .connected && !rig.log.contains { $0.contains("error") })
  }
}
