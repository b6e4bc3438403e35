import Foundation
import TestSupport

/// Full-scale white noise with bits below the sixteenth, a little beyond full scale.
func noise(_ count: Int, seed: UInt64) -> [Float] { Signals.noise(count: count, amplitude: 1.1, seed: seed) }

/// A sine of half scale, `phase` turns ahead.
func sine(_ frequency: Double, rate: Int, count: Int, phase: Double = 0) -> [Float] {
  (0..<count).map { Float(0.5 * sin(2 * .pi * (frequency * Double($0) / Double(rate) + phase))) }
}

/// Silence but for one sample.
func impulse(at position: Int, count: Int, height: Float = 0.9) -> [Float] {
  var samples = [Float](repeating: 0, count: count)
  samples[position] = height
  return samples
}

/// `samples` behind `delay` zeros, cut to the same length.
func delayed(_ samples: [Float], by delay: Int) -> [Float] {
  [Float](repeating: 0, count: min(delay, samples.count)) + samples.dropLast(min(delay, samples.count))
}

/// 16 bits by the closed form: nearest, ties to even, saturated.
func rounded16(_ sample: Float) -> Int16 {
  let scaled = (Double(sample) * 32768).rounded(.toNearestOrEven)
  return Int16(max(-32768, min(32767, scaled)))
}

/// Power of `expected` over power of the difference, in dB.
func signalToNoise(_ samples: ArraySlice<Float>, _ expected: ArraySlice<Float>) -> Double {
  var (signal, error) = (0.0, 0.0)
  for (sample, wanted) in zip(samples, expected) {
    signal += Double(wanted) * Double(wanted)
    error += (Double(sample) - Double(wanted)) * (Double(sample) - Double(wanted))
  }
  return 10 * log10(signal / max(error, 1e-30))
}
