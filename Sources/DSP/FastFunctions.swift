// Logarithms, powers and turns: the C library's functions are calls that the real-time check cannot look into.

/// Returns log2 of positive, normal numbers to within 3e-5.
///
/// The exponent's bits, and a polynomial for the mantissa m in 0.75..<1.5: log2(m) = 2 / ln 2 x atanh((m - 1) / (m +
/// 1)).
@_noLocks @inlinable @inline(__always)
package func fastLog2(_ value: SIMD8<Float>) -> SIMD8<Float> {
  let bits = unsafeBitCast(value, to: SIMD8<Int32>.self)
  // Subtracting the bits of 0.75 puts the mantissa's range around 1.
  let exponent = (bits &- 0x3F40_0000) &>> 23
  let mantissa = unsafeBitCast(bits &- (exponent &<< 23), to: SIMD8<Float>.self)
  let ratio = (mantissa - 1) / (mantissa + 1)
  let square = ratio * ratio
  var series = square * 0.142_857_1 + 0.2
  series = series * square + 0.333_333_3
  series = series * square + 1
  return SIMD8<Float>(exponent) + series * ratio * 2.885_390_1
}

/// Returns 2 to the power of `value`, to within 2e-5 of it. Shape: -100...100; values beyond are limited to it.
@_noLocks @inlinable @inline(__always)
package func fastExp2(_ value: SIMD8<Float>) -> SIMD8<Float> {
  let limited = lesser(larger(value, SIMD8(repeating: -100)), SIMD8(repeating: 100))
  // Adding 1.5 x 2^23 rounds to an integer in the low bits.
  let shifted = limited + 12_582_912
  let integer = unsafeBitCast(shifted, to: SIMD8<Int32>.self) &- 0x4B40_0000
  let whole = shifted - 12_582_912
  let rest = (limited - whole) * 0.693_147_2
  var series = rest * 0.008_333_3 + 0.041_666_7
  series = series * rest + 0.166_666_7
  series = series * rest + 0.5
  series = series * rest + 1
  series = series * rest + 1
  return unsafeBitCast(unsafeBitCast(series, to: SIMD8<Int32>.self) &+ (integer &<< 23), to: SIMD8<Float>.self)
}

/// Returns log2 of one positive, normal number to within 3e-5.
@_noLocks @inlinable @inline(__always)
package func fastLog2(_ value: Float) -> Float {
  let bits = Int32(bitPattern: value.bitPattern)
  let exponent = (bits &- 0x3F40_0000) &>> 23
  let mantissa = Float(bitPattern: UInt32(bitPattern: bits &- (exponent &<< 23)))
  let ratio = (mantissa - 1) / (mantissa + 1)
  let square = ratio * ratio
  var series = square * 0.142_857_1 + 0.2
  series = series * square + 0.333_333_3
  series = series * square + 1
  return Float(exponent) + series * ratio * 2.885_390_1
}

/// Returns 2 to the power of one number, to within 2e-5 of it; 0 below -100, and above 100 the result for 100.
@_noLocks @inlinable @inline(__always)
package func fastExp2(_ value: Float) -> Float {
  if value < -100 { return 0 }
  let limited = value > 100 ? 100 : value
  let shifted = limited + 12_582_912
  let integer = Int32(bitPattern: shifted.bitPattern) &- 0x4B40_0000
  let rest = (limited - (shifted - 12_582_912)) * 0.693_147_2
  var series = rest * 0.008_333_3 + 0.041_666_7
  series = series * rest + 0.166_666_7
  series = series * rest + 0.5
  series = series * rest + 1
  series = series * rest + 1
  return Float(bitPattern: UInt32(bitPattern: Int32(bitPattern: series.bitPattern) &+ (integer &<< 23)))
}

@_noLocks @inlinable @inline(__always)
package func lesser(_ a: SIMD8<Float>, _ b: SIMD8<Float>) -> SIMD8<Float> { a.replacing(with: b, where: b .< a) }

@_noLocks @inlinable @inline(__always)
package func larger(_ a: SIMD8<Float>, _ b: SIMD8<Float>) -> SIMD8<Float> { a.replacing(with: b, where: b .> a) }

/// Returns cosine and sine of an angle in turns, to within 2e-6. Shape: below 4 million turns.
@_noLocks @inlinable @inline(__always)
package func fastTurn(_ turns: SIMD8<Float>) -> (cosine: SIMD8<Float>, sine: SIMD8<Float>) {
  let rest = turns - ((turns + 12_582_912) - 12_582_912)
  // Half the angle, at most a quarter turn.
  let angle = rest * .pi
  let square = angle * angle
  var sine = square * 2.755_732e-6 - 1.984_127e-4
  sine = sine * square + 8.333_333e-3
  sine = sine * square - 0.166_666_7
  sine = (sine * square + 1) * angle
  var cosine = square * -2.755_732e-7 + 2.480_159e-5
  cosine = cosine * square - 1.388_889e-3
  cosine = cosine * square + 4.166_667e-2
  cosine = cosine * square - 0.5
  cosine = cosine * square + 1
  return (1 - 2 * sine * sine, 2 * sine * cosine)
}
