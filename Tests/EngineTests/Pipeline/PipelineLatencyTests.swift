import AudioGraph
import Effects
import Engine
import FrameObservers
import GraphTestSupport
import TestSupport
import Testing

/// The declared latency of the pipeline against the position of an impulse, counted from its first frame.
@Suite(.timeLimit(.minutes(10))) struct PipelineLatencyTests {
  /// All samples of the first channel that leave MIXED, the graph's delay included.
  private final class Whole: Sendable {
    let samples = Guarded<[Float]>([])

    var request: ObserverRequest {
      .readOnly(at: .mixed) { [self] frame, _ in
        samples.withLock { samples in
          let plane = frame.plane(0)
          for index in plane.indices { samples.append(plane[index]) }
        }
      }
    }
  }

  @Test(
    "an impulse reaches MIXED exactly as late as the pipeline declares",
    arguments: ["plain", "gains and pan", "observers in other formats", "pitch at 1", "two users", "stereo music"],
    [16_000, 44_100, 48_000])
  func impulse(what: String, sampleRate: Int) throws {
    let pipeline = try AudioPipeline(mode: .offline, sampleRate: sampleRate, channelCount: 2)
    let at = 1_237
    var plane = [Float](repeating: 0, count: sampleRate / 2)
    plane[at] = 0.5
    var user = UserOptions()
    if what == "pitch at 1" { user.voicePitch = VoicePitch(.unchanged) }
    if what == "gains and pan" {
      user.gain = Decibels(-3)
      user.panning = try Panning(0.4)
      user.recordVolume = try Volume(70)
    }
    try pipeline.addSpeaker(1, from: try PlaneSource([plane], sampleRate: sampleRate), options: user)
    if what == "two users" {
      let silence = [Float](repeating: 0, count: 4_800)
      try pipeline.addSpeaker(2, from: try PlaneSource([silence], sampleRate: sampleRate))
    }
    if what == "stereo music" {
      let silence = [[Float]](repeating: [Float](repeating: 0, count: 4_800), count: 2)
      try pipeline.addMusic(try PlaneSource(silence, sampleRate: sampleRate), to: .loopback)
    }
    if what == "observers in other formats" {
      for (position, rate) in [(ObserverPosition.record, 8_000), (.beforeMixing, 32_000), (.playback, 24_000)] {
        let params = try AudioParams(sampleRate: rate, channelCount: 1, access: .readWrite, samplesPerCall: rate / 50)
        _ = try pipeline.observe(.readWrite(at: position, params: [position: params]) { _, _ in })
      }
    }
    let whole = Whole()
    _ = try pipeline.observe(whole.request)
    let declared = try pipeline.latency()
    try pipeline.runToEnd()
    let samples = whole.samples.withLock { $0 }
    let found = samples.indices.max { abs(samples[$0]) < abs(samples[$1]) }!
    #expect(abs(samples[found]) > 0.1)
    #expect(found - at == declared)
  }

  @Test("a source at another rate than the pipeline's is refused")
  func rates() throws {
    let pipeline = try AudioPipeline(sampleRate: 48_000)
    let source = try PlaneSource([[Float](repeating: 0, count: 441)], sampleRate: 44_100)
    #expect(throws: EngineError.self) { try pipeline.addRemoteUser(1, from: source) }
    #expect(throws: EngineError.self) { try pipeline.addSpeaker(1, from: source) }
    #expect(throws: EngineError.self) { try pipeline.setLocalSource(source) }
    #expect(throws: EngineError.self) { try pipeline.addMusic(source, to: .loopback) }
  }

  @Test("a user that is added while all are muted is muted as well")
  func mutedNewcomer() throws {
    let pipeline = try AudioPipeline(mode: .offline, channelCount: 1)
    try pipeline.muteAllRemoteAudioStreams(true)
    try pipeline.addRemoteUser(1, from: try PlaneSource([seededNoise(count: 960, seed: 1)]))
    let seen = Collector()
    _ = try pipeline.observe(seen.request(at: [.beforeMixing, .mixed]))
    try pipeline.runToEnd()
    #expect(seen.calls(FrameOrigin(position: .beforeMixing, uid: 1)) == 0)
    #expect(seen.stream(FrameOrigin(position: .mixed)).allSatisfy { $0 == 0 })
  }

  @Test("NaN and infinity from a push or an observer are not mixed")
  func nonFinite() throws {
    let pipeline = try AudioPipeline(mode: .offline, channelCount: 1)
    let format = try AudioFormat(sampleRate: 44_100, channelCount: 1)
    let source = try PushSource(format, sampleRate: 48_000, ready: pipeline.bell)
    try pipeline.addSpeaker(1, from: source)
    var samples = [Float](repeating: 0.25, count: 4_410)
    (samples[2_000], samples[2_100]) = (.nan, -.infinity)
    #expect(source.push(samples.span) == 4_410 && source.finish() && source.nonFiniteSamples == 2)
    _ = try pipeline.observe(
      .readWrite(at: .record) { frame, _ in
        var plane = frame.plane(0)
        plane[7] = .nan
        plane[9] = .infinity
      })
    let seen = Collector()
    let shorts = Guarded<[Int16]>([])
    _ = try pipeline.observe(seen.request(at: .mixed))
    _ = try pipeline.observe(
      .readOnly(at: .mixed) { frame, _ in shorts.withLock { for index in 0..<480 { $0.append(frame.samples[index]) } } }
    )
    try pipeline.runToEnd()
    let mixed = seen.stream(FrameOrigin(position: .mixed))
    #expect(mixed.count > 4_000 && mixed.allSatisfy { $0.isFinite && abs($0) < 0.5 })
    #expect(shorts.withLock { $0.allSatisfy { abs(Int($0)) < 16_384 } })
  }
}
