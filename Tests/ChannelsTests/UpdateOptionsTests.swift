import AudioGraph
import ChannelTestSupport
import Channels
import Engine
import Platform
import RelayTestSupport
import Signalling
import TestSupport
import Testing

/// Options that change in a channel that is joined: the main one, or a further one.
@Suite(.timeLimit(.minutes(5))) struct UpdateOptionsTests {
  enum Place: CaseIterable {
    case main
    case further

    /// Joins the channel `lobby` as user 7.
    func join(_ engine: RtcEngine, _ options: ChannelMediaOptions, token: String = "") throws -> RtcConnection {
      switch self {
      case .main:
        try engine.join(channel: "lobby", token: token, user: .uid(7), options: options, completion: nil)
        return try #require(engine.connection)
      case .further:
        try engine.join(channel: "hall", token: token, user: .uid(7), options: .audience, completion: nil)
        return try engine.joinEx(
          channel: "lobby", token: token, user: .uid(7), options: options, delegate: engine.delegate)
      }
    }

    func update(
      _ connection: RtcConnection, of engine: RtcEngine, _ options: ChannelMediaOptions,
      _ outcomes: Guarded<[Int]>? = nil
    ) throws {
      if let outcomes {
        return try connection.update(options) { result in
          if case .failure(let error) = result { return outcomes.withLock { $0.append(error.code.rawValue) } }
          outcomes.withLock { $0.append(0) }
        }
      }
      switch self {
      case .main: try engine.updateChannelOptions(options)
      case .further: try connection.update(options)
      }
    }
  }

  private static func token(
    _ role: TokenRole, user: UInt32 = 7, expires seconds: Int = 3_600
  ) throws -> String {
    TokenSigner(EngineRig.secret).sign(
      try Token(
        app: MemoryNetworks.app, scope: .anyChannel, user: .uid(user), role: role,
        expires: Int64(EngineRig.unixSeconds + seconds)))
  }

  /// A user that speaks a tone for some seconds.
  private static func speak(_ peer: RtcEngine, _ hertz: Double, as uid: UInt32, seconds: Int) throws {
    let voice = try peer.pipeline.setLocalSource(
      .push(AudioFormat(sampleRate: 48_000, channelCount: 1), buffer: .seconds(20)))
    let samples = (0..<seconds * 48_000).map { sine(hertz * Double($0) / 48_000) * 0.25 }
    #expect(voice.push(samples.span) == samples.count)
    voice.finish()
    try peer.join(channel: "lobby", token: "", user: .uid(uid), options: .broadcaster, completion: nil)
  }

  @Test("publication stops and starts, and the others see it", .shows("C15"), arguments: Place.allCases)
  func publication(place: Place) throws {
    let rig = try EngineRig()
    defer { rig.finish() }
    try rig.start()
    let (far, log) = (DelegateMethods(), StreamStateLog())
    rig.engine.delegate = log
    let peer = try rig.addPeer(far)
    let heard = Tones(peer)
    try peer.join(channel: "lobby", token: "", user: .uid(9), options: .audience, completion: nil)
    let connection = try place.join(rig.engine, .broadcaster)
    rig.run(to: 1)
    try place.update(connection, of: rig.engine, ChannelMediaOptions(publishesAudio: false))
    rig.run(to: 1.1)
    let count = connection.sentPacketCount
    #expect(count > 40 && peer.users.map(\.publishes) == [false])
    rig.run(to: 2)
    #expect(connection.sentPacketCount == count && heard.amplitude(of: 1_000, 1.4..<1.9) < 0.001)
    try place.update(connection, of: rig.engine, ChannelMediaOptions(publishesAudio: true))
    rig.run(to: 3)
    #expect(connection.sentPacketCount > count + 40 && peer.users.map(\.publishes) == [true])
    #expect(heard.amplitude(of: 1_000, 0.5..<0.9) > 0.4 && heard.amplitude(of: 1_000, 2.4..<2.9) > 0.4)
    // Stopped, not frozen as by a bad network.
    let sound = far.details("remoteAudioStateChanged")
    #expect(sound.starts(with: ["7 1", "7 2", "7 0"]) && sound.last == "7 2" && !sound.contains("7 3"), "\(sound)")
    #expect(log.own.suffix(5) == ["own 0 to 2", "own 2 to 3", "own 3 to 1", "own 1 to 2", "own 2 to 3"])
    #expect(far.details("didOfflineOfUid") == [])
  }

  @Test(
    "a subscription to all stops and starts for users early and late", .shows("C4", "C15"), arguments: Place.allCases)
  func subscription(place: Place) throws {
    let rig = try EngineRig()
    defer { rig.finish() }
    try rig.start()
    let log = DelegateMethods()
    rig.engine.delegate = log
    let heard = Tones(rig.engine)
    try Self.speak(rig.addPeer(DelegateLog()), 440, as: 8, seconds: 8)
    let connection = try place.join(rig.engine, .audience)
    rig.run(to: 1)
    try place.update(connection, of: rig.engine, ChannelMediaOptions(autoSubscribesAudio: false))
    rig.run(to: 1.5)
    try Self.speak(rig.addPeer(DelegateLog()), 660, as: 9, seconds: 8)
    rig.run(to: 3)
    // The later user has no SSRC for this listener.
    #expect(connection.users.map(\.uid) == [8, 9] && connection.users[1].ssrc == nil)
    #expect(heard.amplitude(of: 440, 0.5..<0.9) > 0.2)
    for hertz in [440.0, 660] { #expect(heard.amplitude(of: hertz, 2..<2.9) < 0.001) }
    try place.update(connection, of: rig.engine, ChannelMediaOptions(autoSubscribesAudio: true))
    rig.run(to: 4.5)
    for hertz in [440.0, 660] { #expect(heard.amplitude(of: hertz, 3.5..<4.4) > 0.2) }
    // Not frozen as by a bad network.
    let sound = log.details("remoteAudioStateChanged")
    #expect(sound.starts(with: ["8 1", "8 2", "8 0"]) && !sound.contains { $0.hasSuffix(" 3") }, "\(sound)")
    let states = log.details("didAudioSubscribeStateChange").map {
      $0.split(separator: " ")[1...3].joined(separator: " ")
    }
    for uid in [8, 9] {
      #expect(
        states.contains("\(uid) 3 1") == (uid == 8) && states.last { $0.hasPrefix("\(uid)") }?.last == "3", "\(states)")
    }
  }

  @Test("a mute of the pipeline outlives updates of the channel", .shows("G5", "C15"))
  func pipelineMute() throws {
    let rig = try EngineRig()
    defer { rig.finish() }
    try rig.start()
    let heard = Tones(rig.engine)
    try Self.speak(rig.addPeer(DelegateLog()), 440, as: 8, seconds: 8)
    let connection = try Place.main.join(rig.engine, .audience)
    rig.run(to: 1)
    try rig.engine.pipeline.users[8].setMuted(true)
    rig.run(to: 2)
    #expect(heard.amplitude(of: 440, 0.5..<0.9) > 0.2 && heard.amplitude(of: 440, 1.5..<1.9) < 0.001)
    try Place.main.update(connection, of: rig.engine, ChannelMediaOptions(role: .broadcaster))
    rig.run(to: 3)
    #expect(heard.amplitude(of: 440, 2.5..<2.9) < 0.001)
    try rig.engine.pipeline.users[8].setMuted(false)
    rig.run(to: 4)
    #expect(heard.amplitude(of: 440, 3.5..<3.9) > 0.2)
  }

  @Test("a role in an update joins and leaves the stage", .shows("C11", "C15"), arguments: Place.allCases)
  func role(place: Place) throws {
    let rig = try EngineRig()
    defer { rig.finish() }
    try rig.start()
    let far = DelegateLog()
    let peer = try rig.addPeer(far)
    try peer.join(channel: "lobby", token: "", user: .uid(9), options: .audience, completion: nil)
    let connection = try place.join(rig.engine, .audience)
    rig.run(to: 1)
    far.clear()
    rig.log.clear()
    try place.update(connection, of: rig.engine, ChannelMediaOptions(role: .broadcaster))
    rig.run(to: 2)
    #expect(connection.sentPacketCount > 40)
    // Without a role the update leaves it.
    try place.update(connection, of: rig.engine, ChannelMediaOptions(autoSubscribesAudio: true))
    rig.run(to: 2.1)
    #expect(connection.settings.role == .broadcaster)
    try place.update(connection, of: rig.engine, ChannelMediaOptions(role: .audience))
    rig.run(to: 3)
    #expect(far.calls == ["didJoined 7", "didOffline 7 2"])
    let roles = rig.log.calls.filter { $0.hasPrefix("role") }
    #expect(roles == ["role 2 to 1, level 2", "role 1 to 2, level 2"])
  }

  @Test("a token in an update replaces the one that expires", .shows("C12", "C15"), arguments: Place.allCases)
  func renewal(place: Place) throws {
    let rig = try EngineRig(needsToken: true)
    defer { rig.finish() }
    try rig.start()
    let connection = try place.join(rig.engine, .audience, token: Self.token(.audience, expires: 3))
    rig.run(to: 1)
    let outcomes = Guarded<[Int]>([])
    // The new token has the right for the role beside it.
    try place.update(
      connection, of: rig.engine, ChannelMediaOptions(role: .broadcaster, token: Self.token(.broadcaster)), outcomes)
    rig.run(to: 5)
    #expect(outcomes.withLock { $0 } == [0])
    #expect(connection.state == .connected && connection.settings.role == .broadcaster)
    #expect(connection.sentPacketCount > 150)
  }

  @Test("a refused token leaves the other options of its update", .shows("C15"), arguments: Place.allCases)
  func refusedToken(place: Place) throws {
    let rig = try EngineRig(needsToken: true)
    defer { rig.finish() }
    try rig.start()
    let connection = try place.join(rig.engine, .broadcaster, token: Self.token(.broadcaster))
    rig.run(to: 1)
    let outcomes = Guarded<[Int]>([])
    try place.update(
      connection, of: rig.engine, ChannelMediaOptions(publishesAudio: false, token: "no token"), outcomes)
    rig.run(to: 1.1)
    let count = connection.sentPacketCount
    rig.run(to: 2)
    #expect(outcomes.withLock { $0 } == [-110] && connection.state == .connected)
    #expect(connection.sentPacketCount == count && connection.settings.role == .broadcaster)
  }

  @Test("a refused role takes all options of its update back", .shows("C15"), arguments: Place.allCases)
  func refusedRole(place: Place) throws {
    let rig = try EngineRig(needsToken: true)
    defer { rig.finish() }
    try rig.start()
    let connection = try place.join(rig.engine, .audience, token: Self.token(.audience))
    rig.run(to: 1)
    let outcomes = Guarded<[Int]>([])
    try place.update(
      connection, of: rig.engine, ChannelMediaOptions(autoSubscribesAudio: false, role: .broadcaster), outcomes)
    rig.run(to: 2)
    #expect(outcomes.withLock { $0 } == [-5] && connection.state == .connected)
    #expect(connection.settings.autoSubscribe && connection.settings.role == .audience)
  }

  @Test("an illegal option changes nothing of its update", .shows("C5", "C15"), arguments: Place.allCases)
  func illegal(place: Place) throws {
    let rig = try EngineRig()
    try rig.start()
    let connection = try place.join(rig.engine, .broadcaster)
    func code(_ options: ChannelMediaOptions) -> Int {
      do { try place.update(connection, of: rig.engine, options) } catch {
        return (error as? ChannelError)?.code.rawValue ?? 1
      }
      return 0
    }
    rig.run(to: 1)
    let settings = connection.settings
    #expect(code(ChannelMediaOptions(publishesAudio: false, profile: .gameFree)) == -2)
    #expect(code(ChannelMediaOptions(publishesAudio: false, info: "text")) == -2)
    #expect(code(ChannelMediaOptions(publishesAudio: false, token: "")) == -2)
    #expect(code(ChannelMediaOptions(publishesAudio: false, audienceLatencyLevel: .low)) == -5)
    #expect(code(ChannelMediaOptions()) == 0)
    rig.run(to: 2)
    var after = connection.settings
    after.quality = settings.quality
    #expect(after == settings)
    rig.engine.leave()
    #expect(code(ChannelMediaOptions(publishesAudio: false)) == -8)
    rig.run(to: 3)
    #expect(code(ChannelMediaOptions(publishesAudio: false, profile: .gameFree)) == -8)
    rig.finish()
    #expect(code(ChannelMediaOptions(publishesAudio: false)) == -7)
  }

  @Test("a number of speakers beyond those of a message is the nearest one", .shows("speakers"))
  func speakers() throws {
    let rig = try EngineRig()
    defer { rig.finish() }
    try rig.start()
    let connection = try Place.main.join(rig.engine, ChannelMediaOptions(maximumSpeakerCount: -1))
    rig.run(to: 0.5)
    let outcomes = Guarded<[Int]>([])
    for (index, count) in [1_000_000, -5, 3].enumerated() {
      var options = ChannelMediaOptions()
      options.maximumSpeakerCount = count
      try Place.main.update(connection, of: rig.engine, options, outcomes)
      rig.run(to: 1 + Double(index) * 0.2)
    }
    #expect(outcomes.withLock { $0 } == [0, 0, 0] && connection.settings.maximumSpeakerCount == 3)
  }

  @Test("the speakers of a limit are reported, and its end", .shows("speakers"))
  func speakerEvents() throws {
    let rig = try EngineRig()
    defer { rig.finish() }
    try rig.start()
    let log = DelegateMethods()
    rig.engine.delegate = log
    for (uid, hertz) in [(8, 440.0), (9, 660)] {
      try Self.speak(rig.addPeer(DelegateLog()), hertz, as: UInt32(uid), seconds: 8)
    }
    let connection = try Place.main.join(rig.engine, ChannelMediaOptions(maximumSpeakerCount: 1))
    rig.run(to: 3)
    let selected = log.details("didSelectSpeakers")
    #expect(selected.last.map { ["[8]", "[9]"].contains($0) } == true, "\(selected)")
    try connection.update(ChannelMediaOptions(maximumSpeakerCount: 0))
    rig.run(to: 6)
    #expect(log.details("didSelectSpeakers").last == "all")
    #expect(
      log.details("didOfflineOfUid") == [] && !log.details("remoteAudioStateChanged").contains { $0.hasSuffix(" 3") })
  }
}
