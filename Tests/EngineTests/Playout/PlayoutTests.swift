import AudioFiles
import AudioGraph
import Effects
import Engine
import FileTestSupport
import Foundation
import FrameObservers
import GraphTestSupport
import Playback
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct PlayoutTests {
  @Test(
    "a loudspeaker plays users and music, but not the local voice", arguments: [1, 2], [1, 2])
  func everything(channelCount: Int, sentChannelCount: Int) throws {
    let rig = try PlayoutRig(channelCount: channelCount)
    try rig.addAll(sentChannelCount: sentChannelCount)
    rig.run()
    for channel in 0..<channelCount {
      #expect(
        rig.hears([.remote: 1, .sent: 1, .loopback: 1], channel: channel), "\(rig.levels(channel: channel))")
    }
    rig.pipeline.finishStepping()
  }

  @Test("ear monitoring adds the voice, and music stays as loud", .shows("F7"), arguments: [1, 2], [30, 100])
  func earMonitoring(sentChannelCount: Int, volume: Int) throws {
    let rig = try PlayoutRig(channelCount: 2)
    try rig.addAll(sentChannelCount: sentChannelCount)
    try rig.pipeline.enableInEarMonitoring(true, volume: volume)
    rig.run()
    #expect(
      rig.hears([.remote: 1, .sent: 1, .loopback: 1, .voice: Double(volume) / 100]), "\(rig.levels())")
    try rig.pipeline.enableInEarMonitoring(false)
    rig.run()
    #expect(rig.hears([.remote: 1, .sent: 1, .loopback: 1]), "\(rig.levels())")
    rig.pipeline.finishStepping()
  }

  @Test("a muted voice leaves ear monitoring, and its music is still played")
  func muted() throws {
    let rig = try PlayoutRig()
    try rig.addAll()
    try rig.pipeline.enableInEarMonitoring(true, volume: 60)
    rig.run()
    try rig.pipeline.muteLocalAudioStream(true)
    rig.run()
    #expect(rig.hears([.remote: 1, .sent: 1, .loopback: 1]), "\(rig.levels())")
    try rig.pipeline.muteLocalAudioStream(false)
    rig.run()
    #expect(rig.hears([.remote: 1, .sent: 1, .loopback: 1, .voice: 0.6]), "\(rig.levels())")
    rig.pipeline.finishStepping()
  }

  @Test("playback volume and disabled audio change the sound of a loudspeaker")
  func volumes() throws {
    let rig = try PlayoutRig()
    try rig.addAll()
    try rig.pipeline.adjustPlaybackSignalVolume(50)
    rig.run()
    #expect(rig.hears([.remote: 0.5, .sent: 1, .loopback: 1]), "\(rig.levels())")
    try rig.pipeline.disableAudio()
    rig.run()
    #expect(rig.hears([.loopback: 1]), "\(rig.levels())")
    rig.pipeline.finishStepping()
  }

  @Test("a removed local source takes its music from a loudspeaker")
  func removed() throws {
    let rig = try PlayoutRig()
    try rig.addAll()
    try rig.pipeline.enableInEarMonitoring(true)
    rig.run()
    try rig.pipeline.local.remove()
    rig.run()
    #expect(rig.hears([.remote: 1, .loopback: 1]), "\(rig.levels())")
    try rig.pipeline.setLocalSource(PlayoutRig.source(.voice))
    try rig.pipeline.enableInEarMonitoring(true)
    rig.run()
    #expect(rig.hears([.remote: 1, .loopback: 1, .voice: 1]), "\(rig.levels())")
    rig.pipeline.finishStepping()
  }

  @Test("music and effects of files are played once, at their volumes", .shows("E1"), arguments: [false, true])
  func files(isLoopback: Bool) throws {
    let files = TestFiles()
    let tone = { (tone: PlayoutRig.Tone) in
      try files.write(
        "\(tone).wav",
        [(0..<96_000).map { Float(tone.amplitude * sin(2 * .pi * tone.rawValue * Double($0) / 48_000)) }], as: .float32)
    }
    let rig = try PlayoutRig(channelCount: 2)
    try rig.pipeline.addRemoteUser(1, from: PlayoutRig.source(.remote))
    try rig.pipeline.setLocalSource(PlaneSource([[Float](repeating: 0, count: 480_000)], uid: 0))
    try rig.pipeline.startStepping(isEndless: true)
    try rig.pipeline.startAudioMixing(try tone(.sent), loopback: isLoopback)
    try rig.pipeline.adjustAudioMixingVolume(50)
    try rig.pipeline.playEffect(
      1, SoundEffect(path: try tone(.loopback), gain: try Volume(80), isPublished: !isLoopback))
    rig.run(ticks: 60)
    #expect(rig.hears([.remote: 1, .sent: 0.5, .loopback: 0.8]), "\(rig.levels())")
    // The sounds end, and leave the graph.
    rig.run(ticks: 200)
    #expect(rig.hears([.remote: 1]), "\(rig.levels())")
    rig.pipeline.finishStepping()
  }

  @Test("users and sent music are played at the same moment, sample by sample")
  func alignment() throws {
    let rig = try PlayoutRig()
    let (remote, music) = (
      seededNoise(count: 48_000, seed: 1, amplitude: 0.3), seededNoise(count: 48_000, seed: 2, amplitude: 0.3)
    )
    try rig.pipeline.addRemoteUser(1, from: PlaneSource([remote]))
    try rig.pipeline.setLocalSource(PlaneSource([[Float](repeating: 0, count: 48_000)], uid: 0))
    try rig.pipeline.addMusic(PlaneSource([music], uid: 9), to: .publishedByLocalUser)
    try rig.pipeline.local.setEarMonitoring(try Volume(50))
    try rig.pipeline.startStepping(isEndless: true)
    rig.run()
    let heard = rig.samples()
    let delay = try #require(heard.firstIndex { $0 != 0 })
    #expect((0..<9_600).allSatisfy { abs(heard[delay + $0] - remote[$0] - music[$0]) < 1e-6 })
    rig.pipeline.finishStepping()
  }

  @Test("the frames of ear monitoring are those that a loudspeaker plays", .shows("F7"))
  func earFrames() throws {
    let rig = try PlayoutRig()
    let seen = Collector()
    _ = try rig.pipeline.observe(seen.request(at: .earMonitoring))
    try rig.pipeline.modify(.earMonitoring) { frame, _ in
      var plane = frame.plane(0)
      for index in plane.indices { plane[index] *= -1 }
    }
    let voice = seededNoise(count: 48_000, seed: 3, amplitude: 0.5)
    try rig.pipeline.setLocalSource(PlaneSource([voice], uid: 0))
    try rig.pipeline.local.setEarMonitoring(try Volume(50))
    try rig.pipeline.startStepping(isEndless: true)
    rig.run()
    let heard = rig.samples()
    let delay = try #require(heard.firstIndex { $0 != 0 })
    #expect((0..<9_600).allSatisfy { heard[delay + $0] == voice[$0] * -0.5 })
    rig.pipeline.finishStepping()
  }

  @Test("a sum beyond full scale is limited, and users alone pass unchanged", arguments: [false, true])
  func limiter(hasMusic: Bool) throws {
    let rig = try PlayoutRig()
    let remote = seededNoise(count: 48_000, seed: 1, amplitude: 0.9)
    try rig.pipeline.addRemoteUser(1, from: PlaneSource([remote]))
    if hasMusic {
      try rig.pipeline.addMusic(PlaneSource([remote], uid: 9), to: .loopback)
    }
    try rig.pipeline.startStepping(isEndless: true)
    rig.run()
    let heard = rig.samples()
    let delay = try #require(heard.firstIndex { $0 != 0 })
    #expect(heard.allSatisfy { abs($0) <= 1 })
    #expect((0..<9_600).allSatisfy { heard[delay + $0] == remote[$0] } != hasMusic)
    rig.pipeline.finishStepping()
  }

  @Test("without a loudspeaker the graph has no nodes for one")
  func withoutSink() throws {
    let pipeline = try AudioPipeline(mode: .offline)
    try pipeline.setLocalSource(PlaneSource([[0.5]], uid: 0))
    try pipeline.addMusic(PlaneSource([[0.5]], uid: 9), to: .loopback)
    try pipeline.local.setEarMonitoring(.unchanged)
    let before = try pipeline.planSteps()
    #expect(!before.contains { $0.name.contains("playout") })
    try pipeline.addSink(.pull(AudioFormat(sampleRate: 48_000, channelCount: 2)), at: .playout)
    #expect(try pipeline.planSteps().count > before.count)
  }

  @Test("a run ends after the last sample of ear monitoring at playout")
  func file() throws {
    let voice = seededNoise(count: 4_800, seed: 5, amplitude: 0.5)
    let pipeline = try AudioPipeline(mode: .offline, channelCount: 1)
    try pipeline.setLocalSource(PlaneSource([voice], uid: 0))
    try pipeline.local.setEarMonitoring(.unchanged)
    let sink = try pipeline.addSink(.pull(AudioFormat(sampleRate: 48_000, channelCount: 1)), at: .playout)
    try pipeline.runToEnd()
    var samples = [Float](repeating: 0, count: 9_600)
    var span = samples.mutableSpan
    let count = sink.pull(into: &span)
    #expect(count == 4_800 && samples[..<4_800] == voice[...])
  }
}
