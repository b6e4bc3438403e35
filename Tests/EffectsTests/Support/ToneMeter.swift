import Glibc

/// Measures how far a tone is from where it should be, by the phase that it gains between two windows.
enum ToneMeter {
  /// The difference in cents; the tone must be within a few Hz of `frequency`.
  static func cents(_ samples: ArraySlice<Float>, frequency: Double, sampleRate: Int) -> Double {
    let half = samples.count / 2
    let first = phase(samples.prefix(half), frequency, sampleRate, offset: 0)
    let second = phase(samples.dropFirst(half).prefix(half), frequency, sampleRate, offset: half)
    let gained = remainder(second - first, 2 * Double.pi)
    let difference = gained / (2 * Double.pi) * Double(sampleRate) / Double(half)
    return 1_200 * log2(1 + difference / frequency)
  }

  private static func phase(_ samples: ArraySlice<Float>, _ frequency: Double, _ sampleRate: Int, offset: Int)
    -> Double
  {
    let (sum, _) = projection(samples, frequency, sampleRate, offset: offset)
    return atan2(sum.imaginary, sum.real)
  }

  /// How strong a tone is, as the amplitude of a sine.
  static func amplitude(_ samples: ArraySlice<Float>, frequency: Double, sampleRate: Int) -> Double {
    let (sum, weight) = projection(samples, frequency, sampleRate, offset: 0)
    return 2 * hypot(sum.real, sum.imaginary) / weight
  }

  private static func projection(
    _ samples: ArraySlice<Float>, _ frequency: Double, _ sampleRate: Int, offset: Int
  ) -> (sum: (real: Double, imaginary: Double), weight: Double) {
    var (real, imaginary, weight) = (0.0, 0.0, 0.0)
    let step = 2 * Double.pi * frequency / Double(sampleRate)
    for (index, sample) in samples.enumerated() {
      let window = 0.5 - 0.5 * cos(2 * Double.pi * (Double(index) + 0.5) / Double(samples.count))
      let angle = step * Double(offset + index)
      real += window * Double(sample) * cos(angle)
      imaginary -= window * Double(sample) * sin(angle)
      weight += window
    }
    return ((real, imaginary), weight)
  }
}
