/// Conversion between Float32 samples (nominal range -1...1) and 16-bit ones.
///
/// A 16-bit sample n stands for n / 32768: the round trip is exact. Floats are rounded to the nearest value, ties to
/// even, and saturate at -32768 and 32767; NaN becomes 0.
public enum SampleConversion {
  /// Converts `count` Float32 samples to 16 bits. Real-time: wait-free.
  @_noLocks
  public static func toInt16(
    _ input: UnsafePointer<Float>, _ output: UnsafeMutablePointer<Int16>, count: Int
  ) {
    for index in 0..<count { output[index] = int16(input[index]) }
  }

  /// Converts `count` 16-bit samples to Float32. Real-time: wait-free.
  @_noLocks
  public static func toFloat(
    _ input: UnsafePointer<Int16>, _ output: UnsafeMutablePointer<Float>, count: Int
  ) {
    for index in 0..<count { output[index] = Float(input[index]) * 0x1p-15 }
  }

  /// Returns one sample as 16 bits.
  @_noLocks @inlinable @inline(__always)
  public static func int16(_ sample: Float) -> Int16 {
    // NaN differs from itself.
    var scaled = sample == sample ? sample * 32768 : 0
    scaled = scaled < 32767 ? scaled : 32767
    scaled = scaled > -32768 ? scaled : -32768
    // Adding 1.5 * 2^23 leaves the rounded integer in the low bits of the mantissa; the compiler turns this into
    // a handful of vector instructions, which `Int16(exactly:)` and `rounded()` are not.
    return Int16(truncatingIfNeeded: Int32(bitPattern: (scaled + 12_582_912).bitPattern) &- 0x4B40_0000)
  }
}
