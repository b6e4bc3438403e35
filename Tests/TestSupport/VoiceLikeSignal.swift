import Glibc

/// A voice without words: harmonics of a gliding pitch under two formants, in syllables, with some breath.
package enum VoiceLikeSignal {
  package static func make(seconds: Double, seed: UInt64 = 1) -> [Float] {
    var random = seed
    var phase = 0.0
    return (0..<Int(seconds * 48_000)).map { index in
      let time = Double(index) / 48_000
      let pitch = 140 + 40 * sin(2 * .pi * 0.7 * time) + 5 * sin(2 * .pi * 5 * time)
      phase += 2 * .pi * pitch / 48_000
      var value = 0.0
      for harmonic in 1...24 {
        let hertz = Double(harmonic) * pitch
        let formants = exp(-pow((hertz - 600) / 300, 2)) + 0.5 * exp(-pow((hertz - 1_700) / 400, 2)) + 0.02
        value += formants * sin(Double(harmonic) * phase + Double(harmonic * harmonic))
      }
      random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let breath = Double(Int32(truncatingIfNeeded: random >> 32)) / Double(Int32.max) * 0.01
      let syllable = max(0.02, sin(2 * .pi * 3.1 * time))
      return Float((value * 0.12 + breath) * syllable)
    }
  }

  /// The lag in `lags` at which `delayed` resembles `original` most, and the resemblance there, 0...1.
  package static func lag(of delayed: [Float], behind original: [Float], in lags: ClosedRange<Int>) -> (Int, Double) {
    var best = (0, -1.0)
    original.withUnsafeBufferPointer { original in
      delayed.withUnsafeBufferPointer { delayed in
        for lag in lags {
          var (product, power, otherPower) = (0.0, 1e-12, 1e-12)
          var index = lags.upperBound
          while index < delayed.count {
            let (a, b) = (Double(original[index - lag]), Double(delayed[index]))
            product += a * b
            power += a * a
            otherPower += b * b
            index += 1
          }
          let resemblance = product / (power * otherPower).squareRoot()
          if resemblance > best.1 { best = (lag, resemblance) }
        }
      }
    }
    return best
  }
}
