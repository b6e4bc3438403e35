/// log2 of a positive, normal number to within 3e-5: the C library's function is out of the compiler's sight.
///
/// The exponent's bits, and a polynomial for the mantissa m in 0.75..<1.5: log2(m) = 2 / ln 2 x atanh((m - 1) / (m +
/// 1)).
@_noLocks @inline(__always)
func fastLog2(_ value: Float) -> Float {
  let bits = value.bitPattern
  // Subtracting the bits of 0.75 puts the mantissa's range around 1.
  let exponent = Int32(bitPattern: bits &- 0x3F40_0000) >> 23
  let mantissa = Float(bitPattern: bits &- UInt32(bitPattern: exponent &<< 23))
  let ratio = (mantissa - 1) / (mantissa + 1)
  let square = ratio * ratio
  let series = 1 + square * (0.333_333_3 + square * (0.2 + square * 0.142_857_1))
  return Float(exponent) + 2.885_390_1 * ratio * series
}

/// 2 to the power of `value`, to within 2e-5 of it; 0 below -100, and as if 100 were given above that.
@_noLocks @inline(__always)
func fastExp2(_ value: Float) -> Float {
  if value < -100 { return 0 }
  let limited = value > 100 ? 100 : value
  // Adding 1.5 x 2^23 rounds to an integer in the low bits.
  let shifted = limited + 12_582_912
  let integer = Int32(bitPattern: shifted.bitPattern &- 0x4B40_0000)
  let rest = (limited - (shifted - 12_582_912)) * 0.693_147_2
  let series = 1 + rest * (1 + rest * (0.5 + rest * (0.166_666_7 + rest * (0.041_666_7 + rest * 0.008_333_3))))
  return Float(bitPattern: UInt32(bitPattern: Int32(bitPattern: series.bitPattern) &+ (integer &<< 23)))
}
