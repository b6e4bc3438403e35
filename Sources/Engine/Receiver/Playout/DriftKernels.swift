import Glibc

/// What `DriftResampler` reads between two samples with: windowed sincs of 24 samples at 256 places, and the way from each
/// place to the next, for what lies in between.
///
/// Source: Smith, Digital Audio Resampling (2002); Kaiser's window with beta 7.
final class DriftKernels: Sendable {
  /// The one table of all receivers.
  static let shared = DriftKernels()
  /// Places between two samples.
  private static let phaseCount = 256

  /// For each place 24 taps, then what has to be added to them for those of the next place.
  nonisolated(unsafe) let rows: UnsafeMutablePointer<Float>
  // SAFETY (nonisolated(unsafe)): written by init only, and never freed while a receiver may read it.

  private init() {
    let width = 2 * DriftResampler.half
    rows = .allocate(capacity: 2 * width * Self.phaseCount)
    let kernels = (0...Self.phaseCount).map { Self.kernel(fraction: Double($0) / Double(Self.phaseCount)) }
    for phase in 0..<Self.phaseCount {
      for tap in 0..<width {
        (rows + (2 * phase * width + tap)).initialize(to: Float(kernels[phase][tap]))
        (rows + ((2 * phase + 1) * width + tap)).initialize(to: Float(kernels[phase + 1][tap] - kernels[phase][tap]))
      }
    }
  }

  /// Taps that read `fraction` of a sample behind the one in the middle; their sum is 1.
  private static func kernel(fraction: Double) -> [Double] {
    let taps = (0..<(2 * DriftResampler.half)).map { tap in
      let time = Double(tap - (DriftResampler.half - 1)) - fraction
      let place = time / Double(DriftResampler.half)
      guard abs(place) < 1 else { return 0.0 }
      let sinc = time == 0 ? 1 : sin(Double.pi * time) / (Double.pi * time)
      return sinc * besselI0(7 * (1 - place * place).squareRoot()) / besselI0(7)
    }
    let sum = taps.reduce(0, +)
    return taps.map { $0 / sum }
  }

  /// The modified Bessel function of the first kind and order 0, as its power series.
  private static func besselI0(_ x: Double) -> Double {
    var (sum, term) = (1.0, 1.0)
    for k in 1...40 {
      term *= (x / 2 / Double(k)) * (x / 2 / Double(k))
      sum += term
    }
    return sum
  }
}
