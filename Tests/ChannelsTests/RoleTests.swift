import ChannelTestSupport
import Channels
import MediaStreams
import Platform
import Relay
import RelayTestSupport
import Signalling
import TestSupport
import Testing

/// Profiles, roles and the latency level of an audience, by the calls and events of an engine.
@Suite(.timeLimit(.minutes(5))) struct RoleTests {
  private static func roles(_ rig: EngineRig) -> [String] { rig.log.calls.filter { $0.hasPrefix("role") } }

  private static func join(_ rig: EngineRig, _ options: ChannelMediaOptions = ChannelMediaOptions()) throws {
    try rig.engine.join(channel: "lobby", token: "", user: .uid(7), options: options, completion: nil)
  }

  @Test("a role before the join is reported for the audience only", .shows("C11"))
  func before() throws {
    let rig = try EngineRig()
    defer { rig.finish() }
    try rig.start()
    try rig.engine.setClientRole(.broadcaster)
    rig.run(to: 0.1)
    #expect(Self.roles(rig) == [])
    try rig.engine.setClientRole(.audience)
    rig.run(to: 0.2)
    #expect(Self.roles(rig) == ["role 1 to 2, level 2"])
    try rig.engine.setClientRole(.audience, options: ClientRoleOptions(audienceLatencyLevel: .low))
    rig.run(to: 0.3)
    #expect(Self.roles(rig).last == "role 2 to 2, level 1")
    try Self.join(rig)
    rig.run(to: 1)
    #expect(rig.engine.connection?.settings.role == .audience)
    #expect(rig.engine.connection?.settings.audienceLatencyLevel == .low)
  }

  @Test("after the join a role and a level are each reported", .shows("C11"))
  func after() throws {
    let rig = try EngineRig()
    defer { rig.finish() }
    try rig.start()
    try Self.join(rig)
    rig.run(to: 1)
    try rig.engine.setClientRole(.broadcaster)
    rig.run(to: 1.5)
    try rig.engine.setClientRole(.audience, options: ClientRoleOptions(audienceLatencyLevel: .low))
    rig.run(to: 2)
    try rig.engine.setClientRole(.audience, options: ClientRoleOptions(audienceLatencyLevel: .ultraLow))
    rig.run(to: 2.5)
    try rig.engine.updateChannelOptions(ChannelMediaOptions(audienceLatencyLevel: .low))
    rig.run(to: 3)
    try rig.engine.setClientRole(.audience)
    rig.run(to: 3.5)
    #expect(
      Self.roles(rig) == [
        "role 2 to 1, level 2", "role 1 to 2, level 1", "role 2 to 2, level 2", "role 2 to 2, level 1",
      ])
  }

  @Test("a role after the join starts and stops the local stream", .shows("C11"))
  func publishing() throws {
    let rig = try EngineRig()
    defer { rig.finish() }
    try rig.start()
    try Self.join(rig)
    rig.run(to: 1)
    let connection = try #require(rig.engine.connection)
    #expect(connection.sentPacketCount == 0)
    try rig.engine.setClientRole(.broadcaster)
    rig.run(to: 2)
    let count = connection.sentPacketCount
    #expect(count > 40 && rig.log.calls.contains("published"))
    try rig.engine.setClientRole(.audience)
    rig.run(to: 3)
    #expect(connection.sentPacketCount <= count + 1)
  }

  @Test("a low latency level does not fit a broadcaster", .shows("C11"))
  func misfit() throws {
    let rig = try EngineRig()
    defer { rig.finish() }
    try rig.start()
    let low = ClientRoleOptions(audienceLatencyLevel: .low)
    func code(_ call: () throws -> Void) -> ChannelErrorCode? {
      #expect(throws: ChannelError.self) { try call() }?.code
    }
    #expect(code { try rig.engine.setClientRole(.broadcaster, options: low) } == .refused)
    let options = ChannelMediaOptions(role: .broadcaster, audienceLatencyLevel: .low)
    #expect(code { try Self.join(rig, options) } == .refused)
    try Self.join(rig, .broadcaster)
    rig.run(to: 1)
    #expect(code { try rig.engine.updateChannelOptions(ChannelMediaOptions(audienceLatencyLevel: .low)) } == .refused)
    #expect(code { try rig.engine.connection?.setClientRole(.broadcaster, options: low) } == .refused)
    #expect(ChannelErrorCode.refused.rawValue == -5)
  }

  @Test("a full channel refuses a broadcaster with reason 1", .shows("C11"))
  func full() throws {
    let rig = try EngineRig(limits: { $0.publishersPerChannel = 1 })
    defer { rig.finish() }
    try rig.start()
    _ = try rig.engine.joinEx(channel: "lobby", token: "", user: .uid(8), options: .broadcaster)
    rig.run(to: 1)
    try Self.join(rig)
    rig.run(to: 2)
    try rig.engine.setClientRole(.broadcaster)
    rig.run(to: 3)
    #expect(Self.roles(rig) == ["role change failed 1, 2"])
  }

  @Test("a profile is set before the join only, and is the channel's", .shows("C10"))
  func profile() throws {
    let rig = try EngineRig()
    defer { rig.finish() }
    try rig.start()
    try rig.engine.setChannelProfile(.communication)
    try Self.join(rig)
    rig.run(to: 1)
    // Without roles everybody publishes.
    #expect(try #require(rig.engine.connection).sentPacketCount > 0)
    let late = #expect(throws: ChannelError.self) { try rig.engine.setChannelProfile(.live) }
    #expect(late?.code == .wrongState)
    let code = Guarded<ChannelErrorCode?>(nil)
    let other = try rig.engine.joinEx(
      channel: "lobby", token: "", user: .uid(8), options: ChannelMediaOptions(profile: .gameFree)
    ) { result in
      if case .failure(let error) = result { code.withLock { $0 = error.code } }
    }
    rig.run(to: 2)
    #expect(other.state == .failed && code.withLock { $0 } == .invalidArgument)
    rig.engine.leave()
    rig.run(to: 3)
    try rig.engine.setChannelProfile(.live)
    #expect(
      [ChannelProfile.communication, .live, .gameFree, .gameCommand].map(\.rawValue) == [0, 1, 2, 3])
  }

  @Test("a profile without roles ignores roles and levels", .shows("C11"))
  func withoutRoles() throws {
    let rig = try EngineRig()
    defer { rig.finish() }
    try rig.start()
    try Self.join(rig, ChannelMediaOptions(audienceLatencyLevel: .low, profile: .communication))
    rig.run(to: 1)
    let connection = try #require(rig.engine.connection)
    #expect(connection.settings.roleOptions.audienceLatencyLevel == .ultraLow)
    for role in [ClientRole.broadcaster, .audience] {
      try connection.setClientRole(role)
      rig.run(to: rig.seconds + 1)
    }
    let count = connection.sentPacketCount
    rig.run(to: rig.seconds + 1)
    #expect(connection.sentPacketCount > count + 40 && Self.roles(rig) == [])
  }

  @Test(
    "packets continue for a broadcaster that was an audience", .shows("C11", "relay"), arguments: [UInt64(1), 2, 3, 4])
  func again(seed: UInt64) throws {
    let rig = try EngineRig(change: { options in
      options.environment.makeRandom = { _ in SeededGenerator(seed: seed) }
    })
    defer { rig.finish() }
    try rig.start()
    let heard = try rig.addPeer(DelegateLog())
    try heard.join(channel: "lobby", token: "", user: .uid(9), options: .audience, completion: nil)
    try Self.join(rig, .broadcaster)
    rig.run(to: 1)
    for _ in 1...3 {
      try rig.engine.setClientRole(.audience)
      rig.run(to: rig.seconds + 1)
      try rig.engine.setClientRole(.broadcaster)
      rig.run(to: rig.seconds + 1)
      let count = try #require(heard.connection?.source(of: 7)?.latestSnapshot.statistics.packetsReceived)
      rig.run(to: rig.seconds + 1)
      #expect(try #require(heard.connection?.source(of: 7)?.latestSnapshot.statistics.packetsReceived) > count + 40)
    }
  }
}
