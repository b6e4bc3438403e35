import Glibc

/// Vowels of known pitch: harmonics under the resonances of a mouth.
enum SyntheticVoice {
  /// Hz of the first three formants of "a" and "i" (Peterson and Barney, 1952), with their bandwidths.
  static let a = [(730.0, 90.0), (1_090, 110), (2_440, 170)]
  static let i = [(270.0, 60.0), (2_290, 120), (3_010, 180)]

  /// The strength of a vowel at a frequency, as that of resonators in parallel.
  static func envelope(_ formants: [(Double, Double)], at frequency: Double) -> Double {
    formants.reduce(0) { sum, formant in
      let place = (frequency - formant.0) / (formant.1 / 2)
      return sum + 1 / (1 + place * place).squareRoot()
    }
  }

  /// A vowel, its largest sample 0.5.
  static func vowel(_ formants: [(Double, Double)], pitch: Double, count: Int, sampleRate: Int) -> [Float] {
    var sum = [Double](repeating: 0, count: count)
    var harmonic = 1.0
    while harmonic * pitch < 0.45 * Double(sampleRate), harmonic * pitch < 5_000 {
      let strength = envelope(formants, at: harmonic * pitch)
      let step = 2 * Double.pi * harmonic * pitch / Double(sampleRate)
      for index in 0..<count { sum[index] += strength * sin(step * Double(index) + harmonic * harmonic) }
      harmonic += 1
    }
    let peak = sum.map(abs).max()!
    return sum.map { Float(0.5 * $0 / peak) }
  }
}
