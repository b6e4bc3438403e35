import AudioGraph
import ChannelTestSupport
import Channels
import Effects
import Engine
import FrameObservers
import MediaStreams
import TestSupport
import Testing

/// Channels of sent and received sound, and users of one number in two channels.
@Suite(.timeLimit(.minutes(5))) struct StereoTests {
  /// A user with a tone of 440 Hz on the left, and one of 1 kHz on the right or on both.
  private static func speak(_ peer: RtcEngine, channelCount: Int) throws {
    let voice = try peer.pipeline.setLocalSource(
      .push(AudioFormat(sampleRate: 48_000, channelCount: channelCount), buffer: .seconds(10)))
    let samples = (0..<5 * 48_000).flatMap { index -> [Float] in
      let (low, high) = (sine(440 * Double(index) / 48_000) * 0.25, sine(1_000 * Double(index) / 48_000) * 0.25)
      return channelCount == 2 ? [low, high] : [low + high]
    }
    #expect(voice.push(samples.span) == 5 * 48_000)
    voice.finish()
  }

  @Test("a stereo voice is heard in stereo, and a mono one in mono", .shows("relay"), arguments: [1, 2])
  func channels(count: Int) throws {
    let rig = try EngineRig(channelCount: 2)
    defer { rig.finish() }
    let log = DelegateMethods()
    rig.engine.delegate = log
    try rig.start()
    let heard = Tones(rig.engine)
    let peer = try rig.addPeer(DelegateLog())
    try Self.speak(peer, channelCount: count)
    try rig.engine.join(channel: "lobby", token: "", user: .uid(7), options: .audience, completion: nil)
    try peer.join(channel: "lobby", token: "", user: .uid(9), options: .broadcaster, completion: nil)
    rig.run(to: 4.5)
    #expect(log.details("remoteAudioStats").last == "\(count)")
    let time = 2.0..<4.0
    #expect(abs(heard.amplitude(of: 440, time) - 0.25) < 0.03)
    #expect(abs(heard.amplitude(of: 1_000, time, channel: 1) - 0.25) < 0.03)
    let cross = [heard.amplitude(of: 1_000, time), heard.amplitude(of: 440, time, channel: 1)]
    #expect(count == 2 ? cross.allSatisfy { $0 < 0.02 } : cross.allSatisfy { abs($0 - 0.25) < 0.03 }, "\(cross)")
    // The first stereo packet takes the place of nothing that was heard.
    #expect(log.details("remoteAudioStateChanged") == ["9 1", "9 2"])
  }

  @Test("settings of a user outlive its change to stereo")
  func settings() throws {
    let rig = try EngineRig(channelCount: 2)
    defer { rig.finish() }
    try rig.start()
    let heard = Tones(rig.engine)
    let peer = try rig.addPeer(DelegateLog()) { $0.sentChannelCount = 2 }
    try rig.engine.join(channel: "lobby", token: "", user: .uid(7), options: .audience, completion: nil)
    try peer.join(channel: "lobby", token: "", user: .uid(9), options: .broadcaster, completion: nil)
    rig.run(to: 0.5)
    // No packet has come, since there is no voice yet.
    try rig.engine.pipeline.users[9].setVolume(Volume(50))
    try Self.speak(peer, channelCount: 2)
    rig.run(to: 4)
    #expect(abs(heard.amplitude(of: 440, 2..<3.9) - 0.125) < 0.02 && heard.amplitude(of: 1_000, 2..<3.9) < 0.02)
  }

  @Test("the same uid in two channels is two users, by name of the channel", .shows("frames of a user"))
  func sameUID() async throws {
    let rig = try EngineRig()
    defer { rig.finish() }
    try rig.start()
    let (ann, bob) = (try rig.addPeer(DelegateLog()), try rig.addPeer(DelegateLog()))
    try Self.speak(ann, channelCount: 1)
    try Self.speak(bob, channelCount: 1)
    var channels: [String: Set<String>] = [:]
    func read(_ key: String, _ channel: String?) throws -> FrameStream {
      try rig.engine.pipeline.frames(of: 5, channel: channel, capacity: 1_000)
    }
    let streams = ["main": try read("main", nil), "red": try read("red", "red"), "blue": try read("blue", "blue")]
    try rig.engine.join(channel: "red", token: "", user: .uid(7), options: .audience, completion: nil)
    _ = try rig.engine.joinEx(channel: "blue", token: "", user: .uid(7), options: .audience)
    try ann.join(channel: "red", token: "", user: .uid(5), options: .broadcaster, completion: nil)
    try bob.join(channel: "blue", token: "", user: .uid(5), options: .broadcaster, completion: nil)
    rig.run(to: 2)
    // A name of a channel is not needed for the main one.
    try rig.engine.pipeline.users[5].setVolume(Volume(0))
    #expect(rig.engine.pipeline.isSilent(5, in: "red") && !rig.engine.pipeline.isSilent(5, in: "blue"))
    rig.engine.pipeline.finishStepping()
    for (key, stream) in streams {
      for await frame in stream { channels[key, default: []].insert(frame.origin?.channelID ?? "") }
    }
    #expect(channels == ["main": ["red"], "red": ["red"], "blue": ["blue"]])
  }

  @Test("a stereo voice that comes behind the join is heard in stereo")
  func later() throws {
    let rig = try EngineRig(channelCount: 2)
    defer { rig.finish() }
    try rig.start()
    let heard = Tones(rig.engine)
    let peer = try rig.addPeer(DelegateLog())
    try rig.engine.join(channel: "lobby", token: "", user: .uid(7), options: .audience, completion: nil)
    try peer.join(channel: "lobby", token: "", user: .uid(9), options: .broadcaster, completion: nil)
    rig.run(to: 1)
    let mono = try peer.pipeline.setLocalSource(.push(AudioFormat(sampleRate: 48_000, channelCount: 1)))
    mono.finish()
    rig.run(to: 2)
    try peer.pipeline.local.remove()
    try Self.speak(peer, channelCount: 2)
    rig.run(to: 5)
    let time = 3.0..<4.9
    #expect(abs(heard.amplitude(of: 440, time) - 0.25) < 0.03 && heard.amplitude(of: 1_000, time) < 0.02)
    #expect(abs(heard.amplitude(of: 1_000, time, channel: 1) - 0.25) < 0.03)
    // One stream: its numbers continue.
    #expect(rig.engine.connection?.source(of: 9)?.latestSnapshot.statistics.packetsLost == 0)
  }
}
