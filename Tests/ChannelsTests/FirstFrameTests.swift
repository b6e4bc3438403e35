import AudioGraph
import ChannelTestSupport
import Channels
import Engine
import TestSupport
import Testing

/// The first frame that is published, and the states of streams with their times.
@Suite(.timeLimit(.minutes(5))) struct FirstFrameTests {
  private static func join(_ rig: EngineRig) throws -> DelegateMethods {
    let log = DelegateMethods()
    rig.engine.delegate = log
    try rig.engine.join(channel: "lobby", token: "", user: .uid(7), options: .broadcaster, completion: nil)
    return log
  }

  private static func times(_ log: DelegateMethods) -> [Int] {
    log.details("firstLocalAudioFramePublished").compactMap { Int($0) }
  }

  @Test("a first frame is reported behind a join, a mute and disabled audio", .shows("D3"))
  func again() throws {
    let rig = try EngineRig()
    defer { rig.finish() }
    try rig.start()
    rig.run(to: 1)
    let log = try Self.join(rig)
    rig.run(to: 2)
    #expect(Self.times(log).count == 1)
    rig.engine.muteLocalAudio(true)
    rig.run(to: 3)
    rig.engine.muteLocalAudio(false)
    rig.run(to: 4)
    #expect(Self.times(log).count == 2)
    try rig.engine.pipeline.disableAudio()
    rig.run(to: 5)
    try rig.engine.pipeline.enableAudio()
    rig.run(to: 6)
    try rig.engine.pipeline.muteLocalAudioStream(true)
    rig.run(to: 7)
    try rig.engine.pipeline.muteLocalAudioStream(false)
    rig.run(to: 8)
    // Milliseconds since the join call, and a packet later than the call.
    let times = Self.times(log)
    #expect(times.count == 4)
    for (time, call) in zip(times, [0, 2_000, 4_000, 6_000]) { #expect((call...call + 100).contains(time), "\(times)") }
  }

  @Test("a program's first pushed samples are a first frame", .shows("D3"))
  func pushed() async throws {
    let relay = try LoopbackRelay()
    defer { relay.stop() }
    let log = DelegateMethods()
    let engine = try RtcEngine(appID: "demo", relay: relay.url, delegate: log)
    defer { engine.destroy() }
    let voice = try engine.pipeline.setLocalSource(.push(AudioFormat(sampleRate: 48_000, channelCount: 1)))
    try await engine.join(channel: "lobby", token: "good", user: .uid(7), options: .broadcaster)
    #expect(eventually { Self.times(log).count == 1 })
    for _ in 1...2 {
      let end = engine.pipeline.tickCount + 30
      #expect(eventually { engine.pipeline.tickCount >= end })
      _ = voice.push([Float](repeating: 0.1, count: 4_800).span)
    }
    #expect(eventually { Self.times(log).count == 2 })
    let end = engine.pipeline.tickCount + 30
    #expect(eventually { engine.pipeline.tickCount >= end } && Self.times(log).count == 2)
  }

  @Test("a state of a stream has the time since the one before it", .shows("D6"))
  func elapsed() throws {
    let rig = try EngineRig()
    defer { rig.finish() }
    try rig.start()
    let log = try Self.join(rig)
    rig.run(to: 1)
    let peer = try rig.addPeer(DelegateLog())
    try peer.pipeline.setLocalSource(.push(AudioFormat(sampleRate: 48_000, channelCount: 1))).finish()
    try peer.join(channel: "lobby", token: "", user: .uid(9), options: .broadcaster, completion: nil)
    rig.run(to: 2)
    rig.engine.muteLocalAudio(true)
    rig.engine.muteRemote(9, true)
    rig.run(to: 3.5)
    rig.engine.muteLocalAudio(false)
    rig.engine.muteRemote(9, false)
    rig.run(to: 5)
    rig.engine.leave()
    rig.run(to: 6)
    func changes(_ name: String) -> [(change: String, elapsed: Int)] {
      log.details(name).map { detail in
        let parts = detail.split(separator: " ")
        return (parts.dropLast().suffix(2).joined(separator: " "), Int(parts.last ?? "") ?? -1)
      }
    }
    let published = changes("didAudioPublishStateChange")
    try #require(published.map(\.change) == ["0 2", "2 3", "3 1", "1 2", "2 3", "3 0"])
    // The first state has no state before it. Then: a packet, about 2 s, 1.5 s, a packet, 1.5 s.
    for (index, range) in [0...0, 0...100, 1_900...2_000, 1_490...1_510, 0...100, 1_400...1_500].enumerated() {
      #expect(range.contains(published[index].elapsed), "\(published)")
    }
    let subscribed = changes("didAudioSubscribeStateChange")
    try #require(subscribed.map(\.change).prefix(4) == ["0 2", "2 3", "3 1", "1 3"])
    #expect((800...1_000).contains(subscribed[2].elapsed) && (1_490...1_510).contains(subscribed[3].elapsed))
    #expect(log.details("didAudioPublishStateChange").allSatisfy { $0.hasPrefix("lobby ") })
    #expect(log.details("didAudioSubscribeStateChange").allSatisfy { $0.hasPrefix("lobby 9 ") })
  }
}
