import AudioGraph
import Effects
import Glibc
import GraphTestSupport
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct PitchShiftNodeTests {
  private static let ratios = [0.5, 0.8409, 1.03, 1.3, 2]

  @Test(
    "a sine comes out at its frequency times the ratio, within 2 cents", .shows("P2: exact"),
    arguments: PitchShiftMode.allCases, ratios)
  func sinePitch(mode: PitchShiftMode, ratio: Double) throws {
    for (rate, frequency) in [(8_000, 97.3), (8_000, 440), (16_000, 3_141)] {
      let input = Signals.sine(count: rate * 7 / 10, cyclesPerSample: frequency / Double(rate), amplitude: 0.5)
      let output = try shifted(input, by: ratio, mode: mode, sampleRate: rate)
      let tone = ToneMeter(output[(rate / 5)...], frequency: frequency * ratio, sampleRate: rate)
      #expect(abs(tone.cents) <= 2, "\(frequency) Hz at \(rate) Hz")
      #expect(abs(20 * log10(tone.amplitude / 0.5)) < 0.5, "\(frequency) Hz at \(rate) Hz")
    }
  }

  @Test(
    "a voice's harmonics come out at their frequencies times the ratio", .shows("P2: exact"),
    arguments: PitchShiftMode.allCases, ratios)
  func voicePitch(mode: PitchShiftMode, ratio: Double) throws {
    let rate = 8_000
    for (formants, pitch, harmonic) in [(SyntheticVoice.a, 110.0, 7.0), (SyntheticVoice.i, 220, 1)] {
      let input = SyntheticVoice.vowel(formants, pitch: pitch, count: rate * 7 / 10, sampleRate: rate)
      let output = try shifted(input, by: ratio, mode: mode, sampleRate: rate)
      let tone = ToneMeter(output[(rate / 5)...], frequency: pitch * harmonic * ratio, sampleRate: rate)
      #expect(abs(tone.cents) <= 2, "a voice of \(pitch) Hz")
      let before = ToneMeter(input[...], frequency: pitch * harmonic, sampleRate: rate)
      #expect(abs(20 * log10(tone.amplitude / before.amplitude)) < 1, "a voice of \(pitch) Hz")
    }
  }

  @Test(
    "a shift by a ratio of 1 is an exact delay of its latency", .shows("P2: exact"), arguments: PitchShiftMode.allCases,
    [8_000, 22_050, 48_000, 192_000])
  func unityKeepsBits(mode: PitchShiftMode, rate: Int) throws {
    for channels in [1, 2] {
      let node = PitchShiftNode(channelCount: channels, sampleRate: rate, mode: mode)
      let input = (0..<channels).map { Signals.noise(count: rate / 5, amplitude: 1.5, seed: UInt64($0)) }
      let bench = try NodeBench(node, input, sampleRate: rate, frames: 20)
      #expect(bench.output.bitPatterns == Signals.delayed(input, by: node.latency, count: rate / 5).bitPatterns)
    }
  }

  @Test(
    "the delay is short enough for a call: at most 25 ms", .shows("P2: modes"),
    arguments: [8_000, 16_000, 22_050, 48_000, 192_000])
  func lowDelay(rate: Int) {
    let node = PitchShiftNode(channelCount: 1, sampleRate: rate, mode: .lowDelay)
    #expect(Double(node.latency) / Double(rate) <= 0.025)
    let other = PitchShiftNode(channelCount: 1, sampleRate: rate, mode: .quality)
    #expect(Double(other.latency) / Double(rate) <= 0.080)
  }

  @Test(
    "the latency is the lag between the loudness of input and output", .shows("P2: exact"),
    arguments: PitchShiftMode.allCases,
    [0.5, 1.3])
  func alignment(mode: PitchShiftMode, ratio: Double) throws {
    let rate = 12_000
    var input = SyntheticVoice.vowel(SyntheticVoice.a, pitch: 130, count: 2 * rate, sampleRate: rate)
    for index in input.indices {
      let time = Double(index) / Double(rate)
      input[index] *= Float(0.5 - 0.25 * cos(2 * Double.pi * 3.1 * time) - 0.25 * cos(2 * Double.pi * 4.7 * time))
    }
    let node = PitchShiftNode(channelCount: 1, sampleRate: rate, mode: mode, ratio: try PitchRatio(ratio))
    let output = try NodeBench(node, [input], sampleRate: rate, frames: 200).output[0]
    let lag = try #require(Alignment.ofLoudness(input, output, sampleRate: rate))
    #expect(abs(lag * 1_000 - Double(node.latency) / 12) < 2, "in ms")
  }

  @Test("silence comes out as exact silence, and is marked as such", arguments: PitchShiftMode.allCases)
  func silence(mode: PitchShiftMode) throws {
    let node = PitchShiftNode(channelCount: 1, sampleRate: 16_000, mode: mode, ratio: try PitchRatio(1.3))
    let input = Signals.noise(count: 3_200, amplitude: 0.5, seed: 3)
    let bench = try NodeBench(node, [input], sampleRate: 16_000, frames: 60)
    #expect(bench.output[0][..<400].contains { $0 != 0 } == (node.latency < 400))
    #expect(bench.output[0][8_000...].allSatisfy { $0 == 0 })
    #expect(bench.headers.last?.isSilent == true)
  }

  @Test("NaN and infinite samples are heard for a moment only", arguments: PitchShiftMode.allCases)
  func notANumber(mode: PitchShiftMode) throws {
    let clean = Signals.sine(count: 16_000, cyclesPerSample: 0.02, amplitude: 0.5)
    var input = clean
    for (index, value) in [(500, Float.nan), (2_000, .infinity), (2_001, -.infinity), (3_333, .nan)] {
      input[index] = value
    }
    let output = try shifted(input, by: 1.2, mode: mode, sampleRate: 16_000)
    #expect(output.allSatisfy { $0.isFinite && abs($0) < 1 })
    #expect(abs(ToneMeter(output[6_000...], frequency: 384, sampleRate: 16_000).cents) <= 2)
  }

  private func shifted(_ input: [Float], by ratio: Double, mode: PitchShiftMode, sampleRate: Int) throws -> [Float] {
    let node = PitchShiftNode(channelCount: 1, sampleRate: sampleRate, mode: mode, ratio: try PitchRatio(ratio))
    let bench = try NodeBench(node, [input], sampleRate: sampleRate, frames: input.count * 100 / sampleRate)
    #expect(bench.output[0].count == input.count)
    return bench.output[0]
  }
}
