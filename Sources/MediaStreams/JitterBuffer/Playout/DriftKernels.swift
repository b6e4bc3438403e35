import Glibc

/// Kernels with which `DriftResampler` reads between two samples: windowed sincs of 24 samples at 2048 places.
///
/// They are so many that the nearest place is near enough: the remaining error lies 90 dB below a tone of 1 kHz, and 70
/// dB below one of 10 kHz. The table has 192 KiB for all receivers together, of which a frame reads a few.
///
/// Source: Smith, Digital Audio Resampling (2002); Kaiser's window with beta 7.
final class DriftKernels: Sendable {
  /// Table of all receivers.
  static let shared = DriftKernels()
  /// 24 taps for each place; the last place is the next sample.
  nonisolated(unsafe) let rows: UnsafeMutablePointer<Float>
  // SAFETY (nonisolated(unsafe)): written by init only, and never freed while a receiver may read it.

  private init() {
    let width = 2 * DriftResampler.half
    let top = Self.besselI0(7)
    rows = .allocate(capacity: width * (DriftResampler.placeCount + 1))
    for place in 0...DriftResampler.placeCount {
      let kernel = Self.kernel(fraction: Double(place) / Double(DriftResampler.placeCount), top: top)
      for tap in 0..<width { (rows + (place * width + tap)).initialize(to: Float(kernel[tap])) }
    }
  }

  /// Returns the taps that read `fraction` of a sample behind the one in the middle; their sum is 1. `top` is the
  /// window's middle.
  private static func kernel(fraction: Double, top: Double) -> [Double] {
    let taps = (0..<(2 * DriftResampler.half)).map { tap in
      let time = Double(tap - (DriftResampler.half - 1)) - fraction
      let place = time / Double(DriftResampler.half)
      guard abs(place) < 1 else { return 0.0 }
      let sinc = time == 0 ? 1 : sin(Double.pi * time) / (Double.pi * time)
      return sinc * besselI0(7 * (1 - place * place).squareRoot()) / top
    }
    let sum = taps.reduce(0, +)
    return taps.map { $0 / sum }
  }

  /// Returns the modified Bessel function of the first kind and order 0, as its power series; up to 7 that many terms
  /// are enough.
  private static func besselI0(_ x: Double) -> Double {
    var (sum, term) = (1.0, 1.0)
    for k in 1...24 {
      term *= (x / 2 / Double(k)) * (x / 2 / Double(k))
      sum += term
    }
    return sum
  }
}
