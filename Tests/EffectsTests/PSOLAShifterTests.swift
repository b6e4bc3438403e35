import AudioGraph
import Effects
import Glibc
import GraphTestSupport
import TestSupport
import Testing

@Suite("a pitch shift that keeps formants", .timeLimit(.minutes(10))) struct PSOLAShifterTests {
  @Test(
    "a word after silence is at most 3.6 dB louder than it was", .shows("P2: modes"),
    arguments: PitchShiftMode.allCases, [0.5, 0.7, 1.5, 2.0])
  func onsets(mode: PitchShiftMode, ratio: Double) throws {
    let rate = 16_000
    var input = Signals.noise(count: rate, amplitude: 0.0005, seed: 2)
    for (start, formants, pitch) in [
      (1_613, SyntheticVoice.a, 110.0), (6_001, SyntheticVoice.i, 180), (11_287, SyntheticVoice.a, 240),
    ] {
      let word = SyntheticVoice.vowel(formants, pitch: pitch, count: 3_000, sampleRate: rate)
      for (index, sample) in word.enumerated() { input[start + index] += 0.05 * sample }
    }
    let node = PitchShiftNode(
      channelCount: 1, sampleRate: rate, mode: mode, ratio: try PitchRatio(ratio), keepsFormants: true)
    let output = try NodeBench(node, [input], sampleRate: rate, frames: 100).output[0]
    func peak(_ samples: [Float], _ range: Range<Int>) -> Float {
      samples[range.clamped(to: samples.indices)].reduce(0) { max($0, abs($1)) }
    }
    // Grains are read some milliseconds from their place.
    for start in stride(from: node.latency, to: output.count - 80, by: 80) {
      let there = start - node.latency
      let before = peak(input, there - 480..<there + 560)
      #expect(peak(output, start..<start + 80) <= 1.514 * before + 1e-6, "\(start)")
    }
  }

  @Test(
    "formants stay in place while the pitch moves", .shows("P2: modes"),
    arguments: [0.5, 0.7, 1.4142, 2],
    [80, 50, 120])
  func formants(ratio: Double, first: Double) throws {
    let (rate, pitch) = (12_000, 150.0)
    // A beat every 80 samples, as strong at every harmonic; at first they come nearer to that from wherever they were.
    let mouth = SyntheticMouth(SyntheticVoice.a, sampleRate: rate)
    let voice = mouth.speak(SyntheticMouth.beats(from: first, to: 80, glide: rate / 2, count: 2 * rate))
    func error(keepsFormants: Bool) throws -> Double {
      let node = PitchShiftNode(
        channelCount: 1, sampleRate: rate, ratio: try PitchRatio(ratio), keepsFormants: keepsFormants)
      let output = try NodeBench(node, [voice], sampleRate: rate, frames: 200).output[0]
      var differences: [Double] = []
      for harmonic in 1...Int(3_000 / (pitch * ratio)) {
        let hertz = Double(harmonic) * pitch * ratio
        let tone = ToneMeter(output[rate...], frequency: hertz, sampleRate: rate)
        if harmonic == 6 { #expect(abs(tone.cents) <= 2) }
        differences.append(20 * log10(tone.amplitude / mouth.gain(at: hertz)))
      }
      let mean = differences.reduce(0, +) / Double(differences.count)
      return (differences.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(differences.count)).squareRoot()
    }
    #expect(try error(keepsFormants: true) < 1.5, "in dB")
    // The measure can fail: without, the envelope moves.
    #expect(try error(keepsFormants: false) > 5, "in dB")
  }

  @Test("sound without a period passes unchanged", .shows("P2: modes"), arguments: PitchShiftMode.allCases, [0.6, 1.5])
  func noise(mode: PitchShiftMode, ratio: Double) throws {
    let rate = 16_000
    let input = Signals.noise(count: rate, amplitude: 0.5, seed: 4)
    let node = PitchShiftNode(
      channelCount: 1, sampleRate: rate, mode: mode, ratio: try PitchRatio(ratio), keepsFormants: true)
    let output = try NodeBench(node, [input], sampleRate: rate, frames: 100).output
    #expect(output.bitPatterns == Signals.delayed([input], by: node.latency, count: rate).bitPatterns)
  }

  @Test(
    "a DC offset stays constant and is not chopped into a tone", .shows("P2: modes"), arguments: PitchShiftMode.allCases
  )
  func offset(mode: PitchShiftMode) throws {
    let (rate, pitch, ratio) = (12_000, 150.0, 0.6)
    let voice = SyntheticVoice.vowel(SyntheticVoice.a, pitch: pitch, count: rate, sampleRate: rate)
    func levels(_ offset: Float) throws -> (mean: Float, rest: Float) {
      let node = PitchShiftNode(
        channelCount: 1, sampleRate: rate, mode: mode, ratio: try PitchRatio(ratio), keepsFormants: true)
      let input = voice.map { 0.1 * $0 + offset }
      // The step at the beginning takes a moment; 45 of the new periods are left.
      let heard = try NodeBench(node, [input], sampleRate: rate, frames: 100).output[0][(rate / 2)...]
      let mean = heard.reduce(0, +) / Float(heard.count)
      return (mean, (heard.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Float(heard.count)).squareRoot())
    }
    let (with, without) = (try levels(0.4), try levels(0))
    #expect(abs(with.mean - 0.4) < 0.001)
    #expect(abs(20 * log10(with.rest / without.rest)) < 0.5, "in dB")
  }

  @Test(
    "a voice is as loud as before, whatever the ratio", .shows("P2: modes"), arguments: [110.0, 200, 290],
    [0.5, 0.75, 1.3, 1.6, 1.9])
  func loudness(pitch: Double, ratio: Double) throws {
    let rate = 16_000
    let voice = SyntheticMouth(SyntheticVoice.a, sampleRate: rate)
      .speak(SyntheticMouth.beats(from: Double(rate) / pitch, to: Double(rate) / pitch, glide: 0, count: rate))
    let output = try shifted(voice, by: ratio, sampleRate: rate)
    func level(_ samples: ArraySlice<Float>) -> Double {
      10 * log10(samples.reduce(0.0) { $0 + Double($1 * $1) } / Double(samples.count))
    }
    #expect(abs(level(output[(rate / 2)...]) - level(voice[(rate / 2)...])) < 1.5, "in dB")
  }

  @Test(
    "a high voice is shifted from its own pitch, not from a lower octave", .shows("P2: modes"),
    arguments: [320.0, 480, 505, 640, 800])
  func high(pitch: Double) throws {
    let (rate, ratio) = (48_000, 1.26)
    let voice = SyntheticVoice.vowel(SyntheticVoice.a, pitch: pitch, count: rate, sampleRate: rate)
    let output = try shifted(voice, by: ratio, sampleRate: rate)
    let (tone, between) = (
      ToneMeter(output[(rate / 2)...], frequency: pitch * ratio, sampleRate: rate),
      ToneMeter(output[(rate / 2)...], frequency: pitch * ratio * 1.5, sampleRate: rate)
    )
    #expect(abs(tone.cents) <= 2)
    #expect(20 * log10(between.amplitude / tone.amplitude) < -40, "in dB")
  }

  @Test("a sample far beyond full scale is heard for a moment only", .shows("P2: modes"))
  func fault() throws {
    let rate = 16_000
    var voice = SyntheticVoice.vowel(SyntheticVoice.a, pitch: 140, count: 2 * rate, sampleRate: rate)
    voice[4_000] = 3e38
    let output = try shifted(voice, by: 1.5, sampleRate: rate)
    #expect(output[(rate / 2)...].allSatisfy { abs($0) < 1.5 })
  }

  private func shifted(_ input: [Float], by ratio: Double, sampleRate: Int) throws -> [Float] {
    let node = PitchShiftNode(
      channelCount: 1, sampleRate: sampleRate, ratio: try PitchRatio(ratio), keepsFormants: true)
    return try NodeBench(node, [input], sampleRate: sampleRate, frames: input.count * 100 / sampleRate).output[0]
  }
}
