import ChannelTestSupport
import Channels
import Engine
import FrameObservers
import Platform
import Relay
import Signalling
import TestSupport
import Testing

/// Relay of a user's audio to other channels, by the calls and events of an engine, at a relay in virtual time.
@Suite(.timeLimit(.minutes(10))) struct MediaRelayTests {
  private static func join(_ engine: RtcEngine, _ channel: String, _ uid: UInt32, token: String = "") throws {
    try engine.join(
      channel: channel, token: token, user: .uid(uid), options: .broadcaster, completion: nil)
  }

  private static func to(_ channels: String..., token: String? = nil, uid: UInt32 = 0) -> ChannelMediaRelayConfiguration
  {
    ChannelMediaRelayConfiguration(
      destinations: channels.map { ChannelMediaInfo(channel: $0, token: token, uid: uid) })
  }

  /// Calls of a delegate with the relay to other channels.
  private static func relayed(_ log: DelegateLog) -> [String] {
    log.calls.filter { $0.contains("relay") || $0.contains("Relay") }
  }

  @Test("a user is heard in another channel until the stop", .shows("C18"))
  func heard() throws {
    let rig = try EngineRig(delayMilliseconds: 20)
    defer { rig.finish() }
    let (log, tone) = (DelegateLog(), Guarded<[Float]>([]))
    let peer = try rig.addPeer(log)
    try peer.pipeline.observe(.playback) { frame, _ in
      let samples = (0..<frame.samplesPerChannel).map { Float(frame.samples[$0 * frame.channelCount]) / 32_768 }
      tone.withLock { $0 += samples }
    }
    try rig.start()
    try Self.join(rig.engine, "lobby", 7)
    try Self.join(peer, "hall", 8)
    rig.run(to: 1)
    try rig.engine.startOrUpdateChannelMediaRelay(Self.to("hall", uid: 9))
    rig.run(to: 2)
    let quiet = try #require(Self.amplitude(tone.withLock { $0 }, 0.5..<0.9))
    let loud = try #require(Self.amplitude(tone.withLock { $0 }, 1.5..<1.9))
    #expect(quiet < 0.001 && (0.4...0.6).contains(loud), "\(quiet) \(loud)")
    try rig.engine.pauseAllChannelMediaRelay()
    rig.run(to: 3)
    try rig.engine.resumeAllChannelMediaRelay()
    rig.run(to: 4)
    let paused = try #require(Self.amplitude(tone.withLock { $0 }, 2.5..<2.9))
    let resumed = try #require(Self.amplitude(tone.withLock { $0 }, 3.5..<3.9))
    #expect(paused < 0.001 && (0.4...0.6).contains(resumed), "\(paused) \(resumed)")
    try rig.engine.stopChannelMediaRelay()
    rig.run(to: 5)
    #expect(
      Self.relayed(rig.log) == [
        "relays 1/0", "call startOrUpdateChannelMediaRelay 0", "relay event 2", "relay event 3",
        "relayed to hall as 9", "relay event 4", "relays 2/0", "call pauseAllChannelMediaRelay 0",
        "relay event 12", "call resumeAllChannelMediaRelay 0", "relay event 14", "call stopChannelMediaRelay 0",
        "relays 0/0",
      ])
    #expect(
      log.calls.filter { $0.hasSuffix(" 9") || $0.contains(" 9 ") } == [
        "didJoined 9", "didAudioMuted 9 true", "didAudioMuted 9 false", "didOffline 9 0",
      ])
  }

  private static func amplitude(_ samples: [Float], _ seconds: Range<Double>) -> Double? {
    let range = Int(seconds.lowerBound * 48_000)..<Int(seconds.upperBound * 48_000)
    guard range.upperBound <= samples.count else { return nil }
    return toneAmplitude(of: 1_000, in: Array(samples[range]), sampleRate: 48_000)
  }

  @Test("tokens decide, and a refusal names its reason", .shows("C18", "C20"))
  func tokens() throws {
    let rig = try EngineRig(needsToken: true)
    defer { rig.finish() }
    try rig.start()
    let signer = TokenSigner(EngineRig.secret)
    func token(_ channel: String, _ uid: UInt32, seconds: Int = 3_600, relaysTo: [String] = []) throws -> String {
      signer.sign(
        try Token(
          app: AppID("app")!, scope: .channel(ChannelName(channel)!), user: .uid(uid), role: .broadcaster,
          relayDestinations: relaysTo.map { ChannelName($0)! }, expires: Int64(EngineRig.unixSeconds + seconds)))
    }
    try Self.join(rig.engine, "lobby", 7, token: token("lobby", 7, relaysTo: ["hall"]))
    rig.run(to: 0.5)
    // The token of the own channel has no right for the yard.
    try rig.engine.startOrUpdateChannelMediaRelay(Self.to("yard", token: token("yard", 9)))
    rig.run(to: 1)
    // The token of the hall ends.
    try rig.engine.startOrUpdateChannelMediaRelay(Self.to("hall", token: token("hall", 9, seconds: 3)))
    rig.run(to: 4)
    #expect(
      Self.relayed(rig.log) == [
        "relays 1/0", "call startOrUpdateChannelMediaRelay 5", "relays 3/5", "relays 1/0",
        "call startOrUpdateChannelMediaRelay 0", "relay event 2", "relay event 3", "relayed to hall as 9",
        "relay event 4", "relays 2/0", "not relayed to hall: -109", "relays 3/11",
      ])
  }

  @Test("another connection of the engine relays its own channel", .shows("C18"))
  func connections() throws {
    let rig = try EngineRig()
    defer { rig.finish() }
    let (log, hall) = (DelegateLog(), DelegateLog())
    let peer = try rig.addPeer(log)
    try rig.start()
    let connection = try rig.engine.joinEx(
      channel: "hall", token: "", user: .uid(7), options: .broadcaster, delegate: hall)
    try Self.join(peer, "yard", 8)
    rig.run(to: 0.5)
    #expect(throws: ChannelError.self) { try rig.engine.startOrUpdateChannelMediaRelay(Self.to("yard")) }
    try rig.engine.startOrUpdateChannelMediaRelayEx(Self.to("yard", uid: 7), connection: connection)
    rig.run(to: 1)
    try rig.engine.pauseAllChannelMediaRelayEx(connection: connection)
    rig.run(to: 1.1)
    try rig.engine.resumeAllChannelMediaRelayEx(connection: connection)
    rig.run(to: 1.2)
    try rig.engine.stopChannelMediaRelayEx(connection: connection)
    rig.run(to: 1.3)
    connection.leave()
    rig.run(to: 1.5)
    #expect(
      log.calls.filter { $0.contains(" 7") } == [
        "didJoined 7", "didAudioMuted 7 true", "didAudioMuted 7 false", "didOffline 7 0",
      ])
    #expect(
      Self.relayed(hall) == [
        "relays 1/0", "call startOrUpdateChannelMediaRelay 0", "relay event 2", "relay event 3",
        "relayed to yard as 7", "relay event 4", "relays 2/0", "call pauseAllChannelMediaRelay 0",
        "relay event 12", "call resumeAllChannelMediaRelay 0", "relay event 14", "call stopChannelMediaRelay 0",
        "relays 0/0",
      ])
  }
}
