import AudioGraph
import Effects
import Engine
import FrameObservers
import GraphTestSupport
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct VoicePitchTests {
  private let rate = 16_000

  @Test("the local voice's pitch changes, its speed does not", .shows("P2"), arguments: [0.5, 0.8, 1, 1.25, 2])
  func pitchOfTheLocalVoice(ratio: Double) throws {
    let pipeline = try pipeline(hertz: 300)
    try pipeline.setLocalVoicePitch(ratio)
    let recorded = try recorded(pipeline)
    #expect(recorded.count >= rate)
    #expect(abs(hertz(recorded[4_000..<12_000]) - 300 * ratio) < 300 * ratio * 0.01)
  }

  @Test("a pitch changes without a click during a run", .shows("P2"))
  func changesWhileRunning() throws {
    let pipeline = try pipeline(hertz: 300)
    try pipeline.setLocalVoicePitch(1.2)
    let recorded = try recorded(pipeline) { tick in
      if tick == 50 { try? pipeline.setLocalVoicePitch(0.8) }
    }
    #expect(abs(hertz(recorded[3_000..<7_000]) - 360) < 4)
    #expect(abs(hertz(recorded[10_000..<15_000]) - 240) < 3)
    let steps = zip(recorded, recorded.dropFirst()).map { abs($1 - $0) }
    // No more than the faster of the two sines has by itself, and half as much for the crossfades.
    #expect(steps.max()! < 1.5 * 0.5 * 2 * Float.pi * 360 / Float(rate))
  }

  @Test("a pitch adds its mode's delay to the plan, and a mute keeps the pitch", .shows("P2: exact"))
  func delayAndMute() throws {
    let pipeline = try pipeline(hertz: 300)
    let before = try pipeline.latency()
    try pipeline.setLocalVoicePitch(1)
    #expect(try pipeline.latency() == before)
    for (mode, channels) in [(PitchShiftMode.lowDelay, 1), (.quality, 1)] {
      try pipeline.setLocalVoicePitch(1.5, mode: mode, keepsFormants: true)
      let node = PitchShiftNode(channelCount: channels, sampleRate: rate, mode: mode)
      #expect(try pipeline.latency() == before + node.latency)
      #expect(try pipeline.planSteps().contains { $0.name == "voice pitch local" && $0.latency == node.latency })
    }
    try pipeline.setLocalVoicePitch(1.5)
    try pipeline.muteLocalAudioStream(true)
    try pipeline.muteLocalAudioStream(false)
    let heard = try recorded(pipeline)
    #expect(abs(hertz(heard[4_000..<12_000]) - 450) < 5)
  }

  @Test("a shifted voice at full scale stays below it: the limiter is armed", .shows("P2"))
  func limiter() throws {
    let pipeline = try AudioPipeline(mode: .offline, sampleRate: rate, channelCount: 1)
    let loud = seededNoise(count: rate, seed: 4, amplitude: 0.99)
    try pipeline.setLocalSource(try PlaneSource([loud], sampleRate: rate, uid: 0))
    try pipeline.setLocalVoicePitch(1.3)
    #expect(try recorded(pipeline).allSatisfy { abs($0) < 1 })
  }

  @Test("a ratio out of range, no voice, and more than two channels are refused", .shows("P2"))
  func refuses() throws {
    let empty = try AudioPipeline(sampleRate: rate, channelCount: 1)
    #expect(throws: EngineError.self) { try empty.setLocalVoicePitch(1.2) }
    let pipeline = try pipeline(hertz: 300)
    for ratio in [0.49, 2.01, -1, Double.nan, .infinity] {
      #expect(throws: EngineError.self) { try pipeline.setLocalVoicePitch(ratio) }
    }
    let wide = try AudioPipeline(sampleRate: rate, channelCount: 2)
    let silence = [Float](repeating: 0, count: 160)
    let source = try PlaneSource([silence, silence, silence], sampleRate: rate)
    #expect(throws: EngineError.self) {
      try wide.addSpeaker(1, from: source, options: UserOptions(voicePitch: VoicePitch(.unchanged)))
    }
  }

  private func pipeline(hertz: Double) throws -> AudioPipeline {
    let pipeline = try AudioPipeline(mode: .offline, sampleRate: rate, channelCount: 1)
    let tone = (0..<rate).map { sine(hertz * Double($0) / Double(rate)) * 0.5 }
    try pipeline.setLocalSource(try PlaneSource([tone], sampleRate: rate, uid: 0))
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

  /// From the first rise through zero to the last.
  private func hertz(_ samples: ArraySlice<Float>) -> Double {
    var rises: [Double] = []
    for index in samples.indices.dropLast() where samples[index] < 0 && samples[index + 1] >= 0 {
      let (before, after) = (Double(samples[index]), Double(samples[index + 1]))
      rises.append(Double(index) + before / (before - after))
    }
    return Double(rises.count - 1) / (rises.last! - rises.first!) * Double(rate)
  }
}
