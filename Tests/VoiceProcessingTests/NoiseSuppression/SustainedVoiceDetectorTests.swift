import Glibc
import GraphTestSupport
import TestSupport
import Testing
import VoiceProcessing

/// What the voice-only mode makes of sounds that are held: a note is sung, a fan hums.
@Suite(.timeLimit(.minutes(10))) struct SustainedVoiceDetectorTests {
  private let rate = 16_000

  /// A vowel from 0.5 s on, with harmonics as strong as the formants of an open one leave them, and its level.
  private func vowel(_ hertz: Double, seconds: Double, vibrato: Double = 0, noise: Float = 0, rate: Int) -> [Float] {
    let (start, count) = (rate / 2, Int(seconds * Double(rate)))
    var samples = noise > 0 ? Signals.noise(count: start + count, amplitude: noise, seed: 3) : []
    if noise == 0 { samples = [Float](repeating: 0, count: start + count) }
    var phase = 0.0
    for index in 0..<count {
      phase += hertz * (1 + vibrato * sin(2 * .pi * 5.5 * Double(index) / Double(rate))) / Double(rate)
      var value = 0.0
      for harmonic in 1...Int(min(3_500, 0.45 * Double(rate)) / hertz) {
        let frequency = hertz * Double(harmonic)
        let formants = [(730.0, 90.0), (1_090, 110), (2_440, 170)].reduce(0.0) { sum, formant in
          let distance = (frequency - formant.0) / formant.1
          return sum + 1 / (1 + distance * distance)
        }
        value += (0.05 + formants) / Double(harmonic) * sin(2 * .pi * phase * Double(harmonic) + Double(harmonic))
      }
      let fade = min(1, Double(min(index, count - index)) / (0.05 * Double(rate)))
      samples[start + index] += Float(0.1 * fade * value)
    }
    return samples
  }

  /// A sum of tones for some seconds, in weak noise.
  private func tones(_ parts: [(hertz: Double, amplitude: Double)], seconds: Int) -> [Float] {
    Signals.noise(count: seconds * rate, amplitude: 0.000_3, seed: 9).enumerated().map { index, noise in
      noise
        + Float(
          parts.reduce(0.0) { $0 + $1.amplitude * sin(2 * .pi * $1.hertz * Double(index) / Double(rate) + $1.hertz) })
    }
  }

  /// By how many dB each half second comes out weaker, from `start` seconds on.
  private func losses(_ input: [Float], from start: Double = 0, rate: Int) throws -> [Double] {
    let node = NoiseSuppressorNode(channelCount: 1, sampleRate: rate)
    let padded = input + [Float](repeating: 0, count: rate / 10)
    let output = try NodeBench(node, [padded], sampleRate: rate, frames: padded.count * 100 / rate).output[0]
    let half = rate / 2
    return stride(from: Int(start * Double(rate)), through: input.count - half, by: half).map { first in
      let range = first..<(first + half)
      let shifted = (first + node.latency)..<min(output.count, first + node.latency + half)
      func power(_ samples: ArraySlice<Float>) -> Double { samples.reduce(1e-12) { $0 + Double($1) * Double($1) } }
      return 10 * log10(power(input[range]) / power(output[shifted]))
    }
  }

  @Test(
    "a note held for four seconds comes out unchanged, also in a quiet room", .shows("G4"),
    arguments: [(100, 0), (123, 0.005), (150, 0), (200, 0), (220, 0.01), (330, 0.008)] as [(Double, Double)],
    [0, 0.001] as [Float])
  func note(pitch: (Double, Double), noise: Float) throws {
    let input = vowel(pitch.0, seconds: 4, vibrato: pitch.1, noise: noise, rate: rate)
    let losses = try losses(input, from: 0.5, rate: rate)
    #expect(losses.count == 8 && losses.allSatisfy { abs($0) < 0.5 }, "\(losses)")
  }

  @Test("a note that is held comes out unchanged at other rates", .shows("G4"), arguments: [8_000, 11_025, 44_100])
  func rates(rate: Int) throws {
    let losses = try losses(vowel(220, seconds: 2.5, vibrato: 0.01, rate: rate), from: 0.5, rate: rate)
    #expect(losses.count == 5 && losses.allSatisfy { abs($0) < 0.5 }, "\(losses)")
  }

  @Test(
    "hum of the mains and tones go, however clean", .shows("G4"),
    arguments: [
      [(50, 0.02), (100, 0.016), (150, 0.006), (200, 0.006)],
      (1...15).map { (100 * Double($0), 0.03 / Double($0)) }, (1...12).map { (120 * Double($0), 0.03 / Double($0)) },
      [(180, 0.2)], [(1_000, 0.1)],
    ] as [[(Double, Double)]])
  func hum(parts: [(Double, Double)]) throws {
    let losses = try losses(tones(parts.map { (hertz: $0.0, amplitude: $0.1) }, seconds: 4), rate: rate)
    #expect(losses[4...].allSatisfy { $0 > 15 }, "\(losses)")
  }

  @Test("a vowel of more than six seconds is removed as noise", .shows("G4"))
  func endless() throws {
    let losses = try losses(vowel(200, seconds: 9, rate: rate), from: 0.5, rate: rate)
    #expect(losses[..<10].allSatisfy { abs($0) < 0.5 } && losses[16] > 5, "\(losses)")
  }
}
