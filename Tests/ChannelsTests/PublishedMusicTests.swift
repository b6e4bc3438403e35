import AudioGraph
import ChannelTestSupport
import Channels
import Engine
import FileTestSupport
import FrameObservers
import Playback
import TestSupport
import Testing

/// Music and effects in a channel, with and without a voice.
@Suite(.timeLimit(.minutes(5))) struct PublishedMusicTests {
  private let files = TestFiles()

  /// Two users in a channel: the one with devices only listens, and the other one has no voice.
  private func pair(_ options: ChannelMediaOptions = .broadcaster) throws -> (
    rig: EngineRig, peer: RtcEngine, log: DelegateMethods
  ) {
    let rig = try EngineRig()
    try rig.start()
    let log = DelegateMethods()
    rig.engine.delegate = log
    let peer = try rig.addPeer(DelegateLog())
    try rig.engine.join(channel: "lobby", token: "", user: .uid(7), options: .audience, completion: nil)
    try peer.join(channel: "lobby", token: "", user: .uid(9), options: options, completion: nil)
    rig.run(to: 1)
    return (rig, peer, log)
  }

  private func tone(_ seconds: Double) throws -> String {
    let count = Int(seconds * 48_000)
    let tone = (0..<count).map { sine(1_000 * Double($0) / 48_000) * 0.5 }
    return try files.write("tone\(count).wav", [tone])
  }

  @Test("music without a voice is heard by the others", .shows("M3"))
  func music() throws {
    let (rig, peer, log) = try pair()
    defer { rig.finish() }
    #expect(rig.playedTone(0.2..<1) < 0.001 && !log.names.contains("remoteAudioMixingDidStart"))
    try peer.pipeline.music.start(tone(2))
    rig.run(to: 2.9)
    #expect(abs(rig.playedTone(1.5..<2.8) - 0.5) < 0.05)
    #expect(log.details("remoteAudioMixingDidStart") == ["9"] && log.details("remoteAudioMixingDidFinish") == [])
    rig.run(to: 4.5)
    #expect(rig.playedTone(3.8..<4.4) < 0.001)
    #expect(log.details("remoteAudioMixingDidFinish") == ["9"])
  }

  @Test("effects without a voice are heard by the others", .shows("E1"))
  func effects() throws {
    let (rig, peer, _) = try pair()
    defer { rig.finish() }
    try peer.pipeline.effects.play(1, SoundEffect(path: tone(1)))
    rig.run(to: 3)
    #expect(abs(rig.playedTone(1.3..<1.9) - 0.5) < 0.05 && rig.playedTone(2.5..<2.9) < 0.001)
  }

  @Test("music that begins before the join is heard, and newcomers hear of it", .shows("M3"))
  func earlier() throws {
    let rig = try EngineRig()
    defer { rig.finish() }
    try rig.start()
    let peer = try rig.addPeer(DelegateLog())
    try peer.pipeline.music.start(tone(6))
    rig.run(to: 0.5)
    try peer.join(channel: "lobby", token: "", user: .uid(9), options: .broadcaster, completion: nil)
    rig.run(to: 1)
    let log = DelegateMethods()
    rig.engine.delegate = log
    try rig.engine.join(channel: "lobby", token: "", user: .uid(7), options: .audience, completion: nil)
    rig.run(to: 3)
    #expect(log.details("remoteAudioMixingDidStart") == ["9"])
    #expect(abs(rig.playedTone(2..<2.9) - 0.5) < 0.05)
    peer.leave()
    rig.run(to: 4)
    #expect(rig.playedTone(3.5..<3.9) < 0.001)
  }

  @Test("a voice that comes later joins the music, and stays behind it", .shows("M1"))
  func voice() throws {
    let (rig, peer, _) = try pair()
    defer { rig.finish() }
    let heard = Tones(rig.engine)
    try peer.pipeline.music.start(tone(1))
    rig.run(to: 1.5)
    let voice = try peer.pipeline.setLocalSource(
      .push(AudioFormat(sampleRate: 48_000, channelCount: 1), buffer: .seconds(10)))
    let samples = (0..<4 * 48_000).map { sine(440 * Double($0) / 48_000) * 0.25 }
    #expect(voice.push(samples.span) == samples.count)
    voice.finish()
    rig.run(to: 4)
    #expect(abs(heard.amplitude(of: 1_000, 1.7..<1.9) - 0.5) < 0.05)
    #expect(abs(heard.amplitude(of: 440, 1.8..<3.9) - 0.25) < 0.03)
    #expect(heard.amplitude(of: 1_000, 2.6..<3.9) < 0.01)
  }

  @Test("music that is heard here only is not sent, and nobody hears of it", .shows("M1", "M3"))
  func loopback() throws {
    let (rig, peer, log) = try pair()
    defer { rig.finish() }
    try peer.pipeline.music.start(tone(2), loopback: true)
    rig.run(to: 3)
    #expect(rig.playedTone(1.2..<2.9) < 0.001 && !log.names.contains("remoteAudioMixingDidStart"))
  }

  @Test("the stop of music is told at once, and a pause is not", .shows("M3"))
  func stop() throws {
    let (rig, peer, log) = try pair()
    defer { rig.finish() }
    try peer.pipeline.music.start(tone(6))
    rig.run(to: 2)
    try peer.pipeline.music.pause()
    rig.run(to: 2.5)
    #expect(log.details("remoteAudioMixingDidFinish") == [])
    try peer.pipeline.music.stop()
    rig.run(to: 2.7)
    #expect(log.details("remoteAudioMixingDidFinish") == ["9"])
  }
}
