import AudioGraph
import Effects
import Engine
import FrameObservers
import GraphTestSupport
import Metering
import TestSupport
import Testing
import VoiceProcessing

@Suite(.timeLimit(.minutes(10))) struct VoiceOnlyTests {
  private let rate = 8_000
  private let noise = seededNoise(count: 16_000, seed: 31, amplitude: 0.05)

  @Test("the voice-only mode removes noise until it is switched off")
  func switches() throws {
    let pipeline = try pipeline()
    try pipeline.setVoiceOnlyMode(true)
    let recorded = try recorded(pipeline) { tick in
      if tick == 120 { try? pipeline.setVoiceOnlyMode(false) }
    }
    let whole = power(noise[...])
    #expect(power(recorded[7_000..<9_000]) < 0.02 * whole)
    // Off, every bit is back; the plan's delay is that of the mode still, and the observer's positions know it.
    #expect(recorded[11_000..<15_000].elementsEqual(noise[11_000..<15_000]))
  }

  @Test("the voice-only mode switches without a click during a run", .shows("G4: switching"))
  func changesWhileRunning() throws {
    let tone = (0..<rate * 2).map { sine(200 * Double($0) / Double(rate)) * 0.5 }
    let pipeline = try AudioPipeline(mode: .offline, sampleRate: rate, channelCount: 1)
    try pipeline.setLocalSource(try PlaneSource([tone], sampleRate: rate, uid: 0))
    let recorded = try recorded(pipeline) { tick in
      if tick == 50 { try? pipeline.setVoiceOnlyMode(true) }
      if tick == 90 || tick == 130 { try? pipeline.setVoiceOnlyMode(tick == 130) }
      if tick == 110 { try? pipeline.setLocalVoicePitch(1) }
    }
    let steps = zip(recorded, recorded.dropFirst()).map { abs($1 - $0) }
    // The frame in which the mode's delay comes in fades between sounds that may be opposed.
    let own: Float = 0.5 * 2 * Float.pi * 200 / Float(rate)
    #expect(steps.max()! <= own + 2 * 0.5 / 80)
    #expect(power(recorded[2_000..<4_000]) > 0.12)
  }

  @Test("volume reports measure the voice behind the voice-only mode", .shows("G4: switching"))
  func volumes() throws {
    let pipeline = try pipeline()
    try pipeline.enableAudioVolumeIndication(interval: 100, smooth: 10)
    let reports = Guarded<[Int: Int]>([:])
    pipeline.onEvent { event in
      guard case .volumes(let report) = event.kind, report.side == .local, let speaker = report.speakers.first else {
        return
      }
      reports.withLock { $0[event.tickCount] = speaker.volume }
    }
    _ = try recorded(pipeline) { tick in if tick == 50 { try? pipeline.setVoiceOnlyMode(true) } }
    let volumes = reports.withLock { $0 }
    #expect((1...20).allSatisfy { volumes[10 * $0] != nil })
    // 60 dB are 255 steps, and the mode takes 15 dB at least.
    #expect(volumes[50, default: 0] > 100)
    #expect(volumes[150, default: 255] < volumes[50, default: 0] - 60)
  }

  @Test("the voice-only mode adds its delay once, and a mute keeps it", .shows("G4: switching"))
  func delay() throws {
    let pipeline = try pipeline()
    let before = try pipeline.latency()
    try pipeline.setVoiceOnlyMode(false)
    #expect(try pipeline.latency() == before)
    try pipeline.setLocalVoicePitch(1.2)
    let shift = PitchShiftNode(channelCount: 1, sampleRate: rate).latency
    let only = NoiseSuppressorNode(channelCount: 1, sampleRate: rate).latency
    #expect(try pipeline.latency() == before + shift)
    try pipeline.setVoiceOnlyMode(true)
    #expect(try pipeline.latency() == before + shift + only)
    try pipeline.setVoiceOnlyMode(false)
    try pipeline.muteLocalAudioStream(true)
    try pipeline.setVoiceOnlyMode(true)
    try pipeline.muteLocalAudioStream(false)
    #expect(try pipeline.latency() == before + shift + only)
    let steps = try pipeline.planSteps().map(\.name)
    let place = try #require(steps.firstIndex(of: "voice only local"))
    let later = try #require(steps.firstIndex(of: "voice pitch local"))
    #expect(place < later)
  }

  @Test("the voice-only mode of a speaker leaves other speakers unchanged")
  func speakers() throws {
    for isLater in [false, true] {
      let pipeline = try AudioPipeline(mode: .offline, sampleRate: rate, channelCount: 1)
      for uid in [1, 2] as [UInt32] {
        try pipeline.addSpeaker(
          uid, from: try PlaneSource([noise], sampleRate: rate, uid: uid),
          options: UserOptions(isVoiceOnly: uid == 2 && !isLater))
      }
      if isLater { try pipeline.setVoiceOnlyMode(true, speaker: 2) }
      let seen = Collector()
      _ = try pipeline.observe(seen.request(at: .record))
      try pipeline.runToEnd()
      let (one, two) = (
        seen.stream(FrameOrigin(position: .record, uid: 1)), seen.stream(FrameOrigin(position: .record, uid: 2))
      )
      #expect(one[..<noise.count].elementsEqual(noise))
      #expect(power(two[7_000..<15_000]) < 0.02 * power(noise[...]))
    }
  }

  @Test("a full-scale voice in voice-only mode stays below full scale")
  func limiter() throws {
    let pipeline = try AudioPipeline(mode: .offline, sampleRate: rate, channelCount: 1)
    let loud = (0..<rate).map { index -> Float in sine(150 * Double(index) / Double(rate)) > 0 ? 0.99 : -0.99 }
    try pipeline.setLocalSource(try PlaneSource([loud], sampleRate: rate, uid: 0))
    try pipeline.setVoiceOnlyMode(true)
    #expect(try recorded(pipeline).allSatisfy { abs($0) < 1 })
  }

  @Test("without a local voice or such a speaker there is nothing to switch")
  func refuses() throws {
    let pipeline = try AudioPipeline(sampleRate: rate, channelCount: 1)
    #expect(throws: EngineError.self) { try pipeline.setVoiceOnlyMode(true) }
    #expect(throws: EngineError.self) { try pipeline.setVoiceOnlyMode(true, speaker: 7) }
    try pipeline.addRemoteUser(7, from: try PlaneSource([noise], sampleRate: rate, uid: 7))
    #expect(throws: EngineError.self) { try pipeline.setVoiceOnlyMode(true, speaker: 7) }
  }

  private func pipeline() throws -> AudioPipeline {
    let pipeline = try AudioPipeline(mode: .offline, sampleRate: rate, channelCount: 1)
    try pipeline.setLocalSource(try PlaneSource([noise], sampleRate: rate, uid: 0))
    return pipeline
  }

  /// What RECORD shows, from the source's first sample on.
  private func recorded(_ pipeline: AudioPipeline, atTick: (Int) -> Void = { _ in }) throws -> [Float] {
    let seen = Collector()
    _ = try pipeline.observe(seen.request(at: .record))
    try pipeline.runToEnd {
      atTick(pipeline.tickCount)
      return false
    }
    return seen.stream(FrameOrigin(position: .record))
  }

  private func power(_ samples: ArraySlice<Float>) -> Double {
    samples.reduce(0) { $0 + Double($1) * Double($1) } / Double(max(1, samples.count))
  }
}
