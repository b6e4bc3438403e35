import Glibc

/// Measures the true peak by 16 times oversampling in double precision, with a sinc of 64 taps in a Blackman window.
///
/// Flat within 0.01 dB up to 0.45 of the sample rate; sixteen points a sample miss a peak by 0.04 dB at the most.
package struct TruePeakOracle {
  private static let factor = 16
  private static let half = 32
  private let rows: [[Double]]

  package init() {
    rows = (0..<Self.factor).map { row in
      let fraction = Double(row) / Double(Self.factor)
      return (-(Self.half - 1)...Self.half).map { tap in
        let time = fraction - Double(tap)
        let position = time / Double(Self.half)
        let window = 0.42 + 0.5 * cos(Double.pi * position) + 0.08 * cos(2 * Double.pi * position)
        return (time == 0 ? 1 : sin(Double.pi * time) / (Double.pi * time)) * window
      }
    }
  }

  /// The largest magnitude at or between the samples, in dB relative to full scale.
  package func decibels(_ samples: [Float]) -> Double {
    let padding = [Double](repeating: 0, count: Self.half)
    let padded = padding + samples.map(Double.init) + padding
    var peak = 0.0
    padded.withUnsafeBufferPointer { signal in
      for start in 0..<samples.count {
        for row in rows {
          var sum = 0.0
          row.withUnsafeBufferPointer { taps in
            var tap = 0
            while tap < 2 * Self.half {
              sum += taps[tap] * signal[start + tap + 1]
              tap += 1
            }
          }
          peak = max(peak, abs(sum))
        }
      }
    }
    return 20 * log10(peak)
  }
}
