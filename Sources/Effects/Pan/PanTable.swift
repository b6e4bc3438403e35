/// Cosine and sine over a quarter turn, from plain arithmetic.
///
/// The C library's functions are closed to the real-time check, and differ in the last bit between versions. Exact at
/// both ends; within 1e-12 in between.
struct PanTable: BitwiseCopyable {
  /// cos(x pi/2).
  let cosine: Double
  /// sin(x pi/2).
  let sine: Double

  /// Computes cosine and sine. Shape: `x` in 0...1.
  @_noLocks
  init(_ x: Double) {
    // Beyond the eighth turn the two change places, which keeps the series short and the ends exact.
    let isUpper = x > 0.5
    let angle = (isUpper ? 1 - x : x) * (Double.pi / 2)
    let square = angle * angle
    // Taylor series up to the 13th and 14th power; the omitted terms are below 3e-14 at pi/4.
    var sine = 1 - square / 156
    sine = 1 - square / 110 * sine
    sine = 1 - square / 72 * sine
    sine = 1 - square / 42 * sine
    sine = 1 - square / 20 * sine
    sine = angle * (1 - square / 6 * sine)
    var cosine = 1 - square / 182
    cosine = 1 - square / 132 * cosine
    cosine = 1 - square / 90 * cosine
    cosine = 1 - square / 56 * cosine
    cosine = 1 - square / 30 * cosine
    cosine = 1 - square / 12 * cosine
    cosine = 1 - square / 2 * cosine
    self.cosine = isUpper ? sine : cosine
    self.sine = isUpper ? cosine : sine
  }
}
