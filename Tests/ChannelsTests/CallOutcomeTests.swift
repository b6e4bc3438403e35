import ChannelTestSupport
import Channels
import Platform
import RelayTestSupport
import Signalling
import TestSupport
import Testing

/// Calls that the relay answers come back to their caller.
@Suite(.timeLimit(.minutes(10))) struct CallOutcomeTests {
  private typealias Outcomes = Guarded<[String]>

  /// A member of the audience whose token allows no other role.
  private static func audience() throws -> EngineRig {
    let rig = try EngineRig(needsToken: true)
    try rig.start()
    try join(rig.engine)
    rig.run(to: 1)
    rig.log.clear()
    return rig
  }

  private static func join(_ engine: RtcEngine) throws {
    let token = try Token(
      app: MemoryNetworks.app, scope: .channel(ChannelName("lobby")!), user: .uid(7), role: .audience,
      expires: Int64(EngineRig.unixSeconds) + 3_600)
    try engine.join(
      channel: "lobby", token: TokenSigner(EngineRig.secret).sign(token), user: .uid(7), completion: nil)
  }

  private static func note(_ outcomes: Outcomes) -> @Sendable (Result<Void, ChannelError>) -> Void {
    { result in
      switch result {
      case .success: outcomes.withLock { $0.append("done") }
      case .failure(let error): outcomes.withLock { $0.append("\(error.code.rawValue)") }
      }
    }
  }

  @Test("a granted and a refused call reach closure and delegate", .shows("D2"))
  func outcomes() throws {
    let rig = try Self.audience()
    defer { rig.finish() }
    let outcomes = Outcomes([])
    let connection = try #require(rig.engine.connection)
    try connection.setClientRole(.broadcaster, completion: Self.note(outcomes))
    try connection.update(ChannelMediaOptions(autoSubscribesAudio: false), completion: Self.note(outcomes))
    try connection.renewToken("no token", completion: Self.note(outcomes))
    connection.muteAllRemote(true)
    rig.run(to: 2)
    #expect(outcomes.withLock { $0 } == ["-5", "done", "-110"])
    // Nobody is subscribed any more, so that the relay need not hear of the mute.
    #expect(
      rig.log.calls == [
        "call muteAllRemote 0", "role change failed 2, 2", "call setClientRole 5", "call updateChannelOptions 0",
        "call renewToken 110",
      ])
    #expect(connection.state == .connected)
  }

  @Test("a mute has its outcome, before a join and behind the end, too", .shows("D2", "C5"))
  func mutes() throws {
    let rig = try EngineRig()
    try rig.start()
    let outcomes = Outcomes([])
    func mute() {
      rig.engine.muteLocalAudio(true, completion: Self.note(outcomes))
      rig.engine.muteRemote(9, true, completion: Self.note(outcomes))
      rig.engine.muteAllRemote(true, completion: Self.note(outcomes))
    }
    mute()
    rig.run(to: 0.5)
    #expect(outcomes.withLock { $0 } == ["done", "done", "done"])
    try rig.engine.join(channel: "lobby", token: "", user: .uid(7), options: .broadcaster, completion: nil)
    rig.run(to: 1)
    for isMuted in [false, true] {
      rig.engine.muteLocalAudio(isMuted, completion: Self.note(outcomes))
      rig.engine.connection?.muteAllRemote(isMuted, completion: Self.note(outcomes))
    }
    rig.run(to: 2)
    #expect(outcomes.withLock { $0 } == [String](repeating: "done", count: 7))
    rig.finish()
    mute()
    #expect(outcomes.withLock { $0 }.suffix(3) == ["-7", "-7", "-7"])
  }

  @Test("a refused role is not that of the next join", .shows("C11"))
  func refusedRole() throws {
    let rig = try Self.audience()
    defer { rig.finish() }
    try rig.engine.setClientRole(.broadcaster, completion: nil)
    rig.run(to: 2)
    rig.engine.leave()
    rig.run(to: 3)
    // As a broadcaster the user would be refused.
    try Self.join(rig.engine)
    rig.run(to: 4)
    #expect(rig.engine.connection?.state == .connected)
  }

  @Test("an update with a token has one outcome, that of both requests", .shows("C15"))
  func group() throws {
    let rig = try Self.audience()
    defer { rig.finish() }
    let outcomes = Outcomes([])
    try #require(rig.engine.connection).update(
      ChannelMediaOptions(autoSubscribesAudio: false, token: "no token"), completion: Self.note(outcomes))
    rig.run(to: 2)
    #expect(outcomes.withLock { $0 } == ["-110"])
  }

  @Test("a call of a channel that is over fails at once", .shows("C15"))
  func over() throws {
    let rig = try Self.audience()
    let connection = try #require(rig.engine.connection)
    rig.engine.leave()
    rig.run(to: 2)
    let error = #expect(throws: ChannelError.self) { try connection.renewToken("a token", completion: nil) }
    #expect(error?.code == .wrongState)
    rig.finish()
  }

  @Test("a call waits for its answer, and throws the refusal", .shows("D2"))
  func waiting() async throws {
    let relay = try LoopbackRelay()
    defer { relay.stop() }
    let engine = try RtcEngine(appID: "demo", relay: relay.url)
    defer { engine.destroy() }
    try await engine.join(channel: "lobby", token: "good", user: .uid(7), options: .broadcaster)
    try await engine.renewToken("good")
    try await engine.updateChannelOptions(ChannelMediaOptions(publishesAudio: false))
    let error = await #expect(throws: ChannelError.self) { try await engine.renewToken("bad") }
    #expect(error?.code == .invalidToken && engine.connection?.state == .connected)
  }
}
