/// Finds the largest sample.
package enum PeakScan {
  /// Returns the largest magnitude among `count` samples; NaN counts as nothing. Real-time: wait-free.
  @_noLocks
  package static func magnitude(_ samples: UnsafePointer<Float>, count: Int) -> Float {
    let raw = UnsafeRawPointer(samples)
    let pairs = count / 16
    var low = SIMD8<Float>(repeating: 0)
    var high = low
    for pair in 0..<pairs {
      raise(&low, to: raw.loadUnaligned(fromByteOffset: 64 &* pair, as: SIMD8<Float>.self))
      raise(&high, to: raw.loadUnaligned(fromByteOffset: 64 &* pair &+ 32, as: SIMD8<Float>.self))
    }
    var peak = larger(largest(low), largest(high))
    for index in (16 &* pairs)..<count {
      let magnitude = samples[index].magnitude
      if magnitude > peak { peak = magnitude }
    }
    return peak
  }

  /// Returns the largest magnitude of a second difference among `count` samples; NaN counts as nothing.
  ///
  /// Shape: `count` at least 10. Real-time: wait-free.
  @_noLocks
  package static func bend(_ samples: UnsafePointer<Float>, count: Int) -> Float {
    let raw = UnsafeRawPointer(samples)
    var bends = SIMD8<Float>(repeating: 0)
    for block in 0..<((count &- 2) / 8) { raise(&bends, to: bend(raw + 32 &* block)) }
    // The last eight overlap the ones before if `count - 2` is not a multiple of 8.
    raise(&bends, to: bend(raw + 4 &* (count &- 10)))
    return largest(bends)
  }

  /// Returns the largest lane. Not inlined: its shuffles would move into the loops above.
  @_noLocks @inline(never)
  private static func largest(_ lanes: SIMD8<Float>) -> Float {
    let first = larger(larger(lanes[0], lanes[1]), larger(lanes[2], lanes[3]))
    let second = larger(larger(lanes[4], lanes[5]), larger(lanes[6], lanes[7]))
    return larger(first, second)
  }

  @_noLocks @inline(__always)
  private static func larger(_ a: Float, _ b: Float) -> Float { a > b ? a : b }

  /// Returns the second differences that begin at eight samples.
  @_noLocks @inline(__always)
  private static func bend(_ samples: UnsafeRawPointer) -> SIMD8<Float> {
    let before = samples.loadUnaligned(as: SIMD8<Float>.self)
    let middle = samples.loadUnaligned(fromByteOffset: 4, as: SIMD8<Float>.self)
    let after = samples.loadUnaligned(fromByteOffset: 8, as: SIMD8<Float>.self)
    // Not as two differences: neighbors share those, and the compiler's code for that is twice as slow.
    return (before + after) - (middle + middle)
  }

  @_noLocks @inline(__always)
  private static func raise(_ peak: inout SIMD8<Float>, to samples: SIMD8<Float>) {
    let magnitude = PeakScan.magnitude(of: samples)
    peak.replace(with: magnitude, where: magnitude .> peak)
  }

  /// Returns each lane without its sign.
  @_noLocks @inlinable @inline(__always)
  package static func magnitude(of samples: SIMD8<Float>) -> SIMD8<Float> {
    unsafeBitCast(
      unsafeBitCast(samples, to: SIMD8<UInt32>.self) & SIMD8(repeating: 0x7FFF_FFFF), to: SIMD8<Float>.self)
  }
}
