import AudioGraph
import ChannelTestSupport
import Channels
import Engine
import FileTestSupport
import TestSupport
import Testing

/// Parts of the local sound that a channel gets: a microphone, samples of the program, music.
@Suite(.timeLimit(.minutes(5))) struct PublishedPartsTests {
  private let files = TestFiles()

  /// A listener of a channel.
  private struct Ear {
    let tones: Tones
    let log = DelegateMethods()

    init(_ rig: EngineRig, _ channel: String) throws {
      let peer = try rig.addPeer(log)
      tones = Tones(peer)
      try peer.join(channel: channel, token: "", user: .uid(9), options: .audience, completion: nil)
    }
  }

  private func song() throws -> String {
    try files.write("song.wav", [(0..<6 * 48_000).map { sine(440 * Double($0) / 48_000) * 0.25 }])
  }

  @Test("one channel gets the voice alone, and another one the music alone", .shows("C1"))
  func channels() throws {
    let rig = try EngineRig()
    defer { rig.finish() }
    try rig.start()
    let red = try Ear(rig, "red")
    let blue = try Ear(rig, "blue")
    let voice = ChannelMediaOptions(publishesMixedFile: false, role: .broadcaster)
    let music = ChannelMediaOptions(publishesMicrophone: false, role: .broadcaster)
    try rig.engine.join(channel: "red", token: "", user: .uid(7), options: voice, completion: nil)
    let second = try rig.engine.joinEx(channel: "blue", token: "", user: .uid(7), options: music)
    rig.run(to: 1)
    // Without music there is nothing for the second channel.
    #expect(second.sentPacketCount == 0)
    try rig.engine.pipeline.music.start(song())
    rig.run(to: 4)
    #expect(red.tones.amplitude(of: 1_000, 2..<3.9) > 0.4 && red.tones.amplitude(of: 440, 2..<3.9) < 0.01)
    #expect(blue.tones.amplitude(of: 1_000, 2..<3.9) < 0.01)
    #expect(abs(blue.tones.amplitude(of: 440, 2..<3.9) - 0.25) < 0.03)
    #expect(!red.log.names.contains("remoteAudioMixingDidStart"))
    #expect(blue.log.details("remoteAudioMixingDidStart") == ["7"])
  }

  @Test("a part is switched while the channel is joined, and nil leaves it", .shows("C1", "C15"))
  func update() throws {
    let rig = try EngineRig()
    defer { rig.finish() }
    try rig.start()
    let red = try Ear(rig, "red")
    try rig.engine.join(channel: "red", token: "", user: .uid(7), options: .broadcaster, completion: nil)
    try rig.engine.pipeline.music.start(song())
    rig.run(to: 2)
    try rig.engine.updateChannelOptions(ChannelMediaOptions(publishesMicrophone: false))
    rig.run(to: 3)
    try rig.engine.updateChannelOptions(ChannelMediaOptions(autoSubscribesAudio: false))
    rig.run(to: 4)
    try rig.engine.updateChannelOptions(ChannelMediaOptions(publishesMicrophone: true, publishesMixedFile: false))
    rig.run(to: 5)
    let voice = [1.3, 2.3, 3.3, 4.3].map { red.tones.amplitude(of: 1_000, $0..<$0 + 0.6) > 0.4 }
    let music = [1.3, 2.3, 3.3, 4.3].map { red.tones.amplitude(of: 440, $0..<$0 + 0.6) > 0.2 }
    #expect(voice == [true, false, false, true])
    #expect(music == [true, true, true, false])
    #expect(red.log.details("remoteAudioMixingDidStart") == ["7"])
    #expect(red.log.details("remoteAudioMixingDidFinish") == ["7"])
  }

  @Test("a pushed voice follows its own option, and not the microphone's", .shows("C1"), arguments: [true, false])
  func pushed(isPublished: Bool) throws {
    let rig = try EngineRig()
    defer { rig.finish() }
    try rig.start()
    let heard = Tones(rig.engine)
    let peer = try rig.addPeer(DelegateLog())
    let voice = try peer.pipeline.setLocalSource(
      .push(AudioFormat(sampleRate: 48_000, channelCount: 1), buffer: .seconds(10)))
    let samples = (0..<4 * 48_000).map { sine(440 * Double($0) / 48_000) * 0.25 }
    _ = voice.push(samples.span)
    voice.finish()
    try rig.engine.join(channel: "red", token: "", user: .uid(7), options: .audience, completion: nil)
    var options = ChannelMediaOptions.broadcaster
    options.publishesMicrophone = !isPublished
    options.publishesCustomAudio = isPublished
    try peer.join(channel: "red", token: "", user: .uid(9), options: options, completion: nil)
    rig.run(to: 3)
    let level = heard.amplitude(of: 440, 1..<2.9)
    #expect(isPublished ? level > 0.2 : level < 0.01)
  }

  @Test("a user without any part does not publish, as the others see it", .shows("C1", "D6"))
  func nothing() throws {
    let rig = try EngineRig()
    defer { rig.finish() }
    try rig.start()
    let log = DelegateMethods()
    rig.engine.delegate = log
    let peer = try rig.addPeer(DelegateLog())
    try peer.join(channel: "red", token: "", user: .uid(9), options: .audience, completion: nil)
    try rig.engine.join(channel: "red", token: "", user: .uid(7), options: .broadcaster, completion: nil)
    rig.run(to: 1)
    #expect(peer.users.map(\.publishes) == [true])
    let none = ChannelMediaOptions(publishesMicrophone: false, publishesCustomAudio: false, publishesMixedFile: false)
    try rig.engine.updateChannelOptions(none)
    rig.run(to: 2)
    #expect(peer.users.map(\.publishes) == [false])
    #expect(log.details("didAudioPublishStateChange").last?.hasPrefix("red 3 1") == true)
  }
}
