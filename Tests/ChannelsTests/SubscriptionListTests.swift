import AudioGraph
import ChannelTestSupport
import Channels
import Engine
import Platform
import Signalling
import TestSupport
import Testing

/// Users that a listener hears, or does not hear, by name.
@Suite(.timeLimit(.minutes(5))) struct SubscriptionListTests {
  /// A user that speaks a tone for 12 s.
  private static func speak(_ peer: RtcEngine, _ hertz: Double, as uid: UInt32) throws {
    let voice = try peer.pipeline.setLocalSource(
      .push(AudioFormat(sampleRate: 48_000, channelCount: 1), buffer: .seconds(20)))
    let samples = (0..<12 * 48_000).map { sine(hertz * Double($0) / 48_000) * 0.25 }
    #expect(voice.push(samples.span) == samples.count)
    voice.finish()
    try peer.join(channel: "lobby", token: "", user: .uid(uid), options: .broadcaster, completion: nil)
  }

  private static func note(_ outcomes: Guarded<[Int]>) -> @Sendable (Result<Void, ChannelError>) -> Void {
    { result in
      switch result {
      case .success: outcomes.withLock { $0.append(0) }
      case .failure(let error): outcomes.withLock { $0.append(error.code.rawValue) }
      }
    }
  }

  @Test("an allowlist is heard without subscriptions, and a blocklist wins", .shows("C4", "C15"))
  func lists() throws {
    let rig = try EngineRig()
    defer { rig.finish() }
    try rig.start()
    let heard = Tones(rig.engine)
    for (uid, hertz) in [(8, 440.0), (9, 660)] { try Self.speak(rig.addPeer(DelegateLog()), hertz, as: UInt32(uid)) }
    let outcomes = Guarded<[Int]>([])
    // Before the join the lists wait for it.
    try rig.engine.setSubscribeAudioAllowlist([8], completion: Self.note(outcomes))
    try rig.engine.join(
      channel: "lobby", token: "", user: .uid(7), options: ChannelMediaOptions(autoSubscribesAudio: false),
      completion: nil)
    rig.run(to: 2)
    rig.engine.muteAllRemote(true)
    rig.engine.muteRemote(8, true)
    rig.run(to: 4)
    let connection = try #require(rig.engine.connection)
    try rig.engine.setSubscribeAudioBlocklist([8], completion: Self.note(outcomes))
    try connection.setSubscribeAudioAllowlist([8, 9], completion: Self.note(outcomes))
    rig.run(to: 6)
    try rig.engine.setSubscribeAudioBlocklistEx([], connection: connection)
    try rig.engine.setSubscribeAudioAllowlistEx([], connection: connection)
    rig.engine.muteAllRemote(false)
    rig.run(to: 8)
    try connection.update(ChannelMediaOptions(autoSubscribesAudio: true))
    rig.run(to: 10)
    func levels(_ seconds: Range<Double>) -> [Bool] {
      [440.0, 660].map { heard.amplitude(of: $0, seconds) > 0.1 }
    }
    #expect(levels(1..<1.9) == [true, false] && levels(2.5..<3.9) == [true, false])
    #expect(levels(4.5..<5.9) == [false, true] && levels(6.5..<7.9) == [false, false])
    #expect(levels(8.5..<9.9) == [true, true])
    #expect(outcomes.withLock { $0 } == [0, 0, 0])
    #expect(
      rig.log.calls.filter { $0.contains("list") } == [
        "call setSubscribeAudioBlocklist 0", "call setSubscribeAudioAllowlist 0", "call setSubscribeAudioBlocklist 0",
        "call setSubscribeAudioAllowlist 0",
      ])
  }

  @Test("a list that is too long, or with uid 0, changes nothing", .shows("C5"))
  func illegal() throws {
    let rig = try EngineRig()
    defer { rig.finish() }
    try rig.start()
    try rig.engine.join(channel: "lobby", token: "", user: .uid(7), options: .audience, completion: nil)
    let connection = try #require(rig.engine.connection)
    try connection.setSubscribeAudioAllowlist(Array(1...500))
    let error = #expect(throws: ChannelError.self) { try connection.setSubscribeAudioAllowlist(Array(1...501)) }
    #expect(error?.code == .invalidArgument && error?.limit?.value == 500)
    #expect(throws: ChannelError.self) { try rig.engine.setSubscribeAudioBlocklist([1, 0]) }
    rig.run(to: 1)
    #expect(connection.settings.allowedUsers.count == 500 && connection.settings.blockedUsers == [])
  }
}
