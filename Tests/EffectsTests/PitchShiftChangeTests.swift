import AudioGraph
import Effects
import Glibc
import GraphTestSupport
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct PitchShiftChangeTests {
  @Test(
    "no ratio change causes a larger step than the highest ratio's sine", .shows("P2: exact"),
    arguments: PitchShiftMode.allCases)
  func noClicks(mode: PitchShiftMode) throws {
    let (rate, frames) = (8_000, 150)
    for (seed, hertz) in [(1, 220.0), (2, 61), (3, 1_000)] as [(UInt64, Double)] {
      let input = Signals.sine(count: rate * 3 / 2, cyclesPerSample: hertz / Double(rate), amplitude: 0.5)
      var generator = SeededGenerator(seed: seed)
      let node = PitchShiftNode(channelCount: 1, sampleRate: rate, mode: mode)
      let output = try NodeBench(node, [input], sampleRate: rate, frames: frames) { tick in
        guard tick % 5 == 4 else { return }
        node.set(tick % 20 == 19 ? .unchanged : try PitchRatio(Double.random(in: 0.5...2, using: &generator)))
      }.output[0]
      let heard = output[(node.latency + 1)...]
      let steps = zip(heard, heard.dropFirst()).map { abs($1 - $0) }
      let own = Float(0.5 * 2 * Double.pi * hertz / Double(rate))
      // Twice for the octave; a crossfade of two sides that are not quite alike may add a little.
      #expect(steps.max()! <= 2 * own * 1.1, "seed \(seed)")
    }
  }

  @Test(
    "back at a ratio of 1 every bit stays again, after silence at once", arguments: PitchShiftMode.allCases,
    [false, true])
  func returnsToExact(mode: PitchShiftMode, keepsFormants: Bool) throws {
    let rate = 8_000
    var input = Signals.noise(count: rate, amplitude: 0.5, seed: 8)
    for index in 2_000..<5_000 { input[index] = 0 }
    let node = PitchShiftNode(
      channelCount: 1, sampleRate: rate, mode: mode, ratio: try PitchRatio(1.3), keepsFormants: keepsFormants)
    let output = try NodeBench(node, [input], sampleRate: rate, frames: 100) { tick in
      if tick == 25 { node.set(.unchanged) }
    }.output[0]
    #expect((5_000..<rate).allSatisfy { output[$0] == input[$0 - node.latency] })
  }

  @Test("back at a ratio of 1 the delay becomes exact again by itself", arguments: [false, true])
  func settles(keepsFormants: Bool) throws {
    let rate = 8_000
    let input = Signals.noise(count: 6 * rate, amplitude: 0.5, seed: 9)
    let node = PitchShiftNode(
      channelCount: 1, sampleRate: rate, ratio: try PitchRatio(1.01), keepsFormants: keepsFormants)
    let output = try NodeBench(node, [input], sampleRate: rate, frames: 600) { tick in
      if tick == 20 { node.set(.unchanged) }
    }.output[0]
    #expect((5 * rate..<6 * rate).allSatisfy { output[$0] == input[$0 - node.latency] })
  }

  @Test(
    "two channels with the same sound stay in phase", .shows("P2: modes"),
    arguments: PitchShiftMode.allCases,
    [false, true])
  func stereo(mode: PitchShiftMode, keepsFormants: Bool) throws {
    let rate = 16_000
    let voice = SyntheticVoice.vowel(SyntheticVoice.a, pitch: 140, count: rate / 2, sampleRate: rate)
    let node = PitchShiftNode(
      channelCount: 2, sampleRate: rate, mode: mode, ratio: try PitchRatio(1.3), keepsFormants: keepsFormants)
    let output = try NodeBench(node, [voice, voice.map { -0.5 * $0 }], sampleRate: rate, frames: 50).output
    #expect(output[0][2_000...].contains { abs($0) > 0.1 })
    for (left, right) in zip(output[0], output[1]) { #expect(abs(right + 0.5 * left) < 1e-5) }
  }

  @Test(
    "uneven frames and the highest rate keep the pitch and sample count",
    arguments: [11_025, 22_050, 44_100, 192_000])
  func rates(rate: Int) throws {
    let input = Signals.sine(count: rate / 4, cyclesPerSample: 600 / Double(rate), amplitude: 0.5)
    let node = PitchShiftNode(channelCount: 1, sampleRate: rate, ratio: try PitchRatio(1.25))
    let output = try NodeBench(node, [input], sampleRate: rate, frames: 25).output[0]
    #expect(output.count == FrameSchedule(sampleRate: rate).position(ofFrame: 25))
    let tone = ToneMeter(output[(rate / 10)...], frequency: 750, sampleRate: rate)
    #expect(abs(tone.cents) <= 2 && abs(tone.amplitude - 0.5) < 0.03)
  }

  @Test("ratios and semitones out of range are refused with the value")
  func refuses() throws {
    for value in [0.499, 2.001, -1, Double.nan] { #expect(throws: EffectParameterError.self) { try PitchRatio(value) } }
    for value in [-12.01, 12.01, Double.nan] {
      #expect(throws: EffectParameterError.self) { try PitchRatio(semitones: value) }
    }
    #expect(EffectParameterError.pitchRatio(2.5).description.contains("2.5"))
    #expect(EffectParameterError.semitones(13).description.contains("13"))
    #expect(try PitchRatio(semitones: 12).value == 2 && PitchRatio(0.5).semitones == -12)
    #expect(try PitchRatio(0.9) < .unchanged)
  }
}
