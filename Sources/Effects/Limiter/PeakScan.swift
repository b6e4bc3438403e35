/// Finds the largest sample.
enum PeakScan {
  /// The largest magnitude among `count` samples; NaN counts as nothing. Real-time: wait-free.
  @_noLocks
  static func magnitude(_ samples: UnsafePointer<Float>, count: Int) -> Float {
    let raw = UnsafeRawPointer(samples)
    let pairs = count / 16
    var low = SIMD8<Float>(repeating: 0)
    var high = low
    for pair in 0..<pairs {
      raise(&low, to: raw.loadUnaligned(fromByteOffset: 64 &* pair, as: SIMD8<Float>.self))
      raise(&high, to: raw.loadUnaligned(fromByteOffset: 64 &* pair &+ 32, as: SIMD8<Float>.self))
    }
    raise(&low, to: high)
    var peak: Float = 0
    for lane in 0..<8 where low[lane] > peak { peak = low[lane] }
    for index in (16 &* pairs)..<count {
      let magnitude = samples[index].magnitude
      if magnitude > peak { peak = magnitude }
    }
    return peak
  }

  /// The largest magnitude of a second difference among `count` samples; NaN counts as nothing.
  ///
  /// Shape: `count` at least 10. Real-time: wait-free.
  @_noLocks
  static func bend(_ samples: UnsafePointer<Float>, count: Int) -> Float {
    let raw = UnsafeRawPointer(samples)
    var largest = SIMD8<Float>(repeating: 0)
    var start = 0
    while true {
      let at = 4 &* start
      let before = raw.loadUnaligned(fromByteOffset: at, as: SIMD8<Float>.self)
      let middle = raw.loadUnaligned(fromByteOffset: at &+ 4, as: SIMD8<Float>.self)
      let after = raw.loadUnaligned(fromByteOffset: at &+ 8, as: SIMD8<Float>.self)
      raise(&largest, to: before - middle + (after - middle))
      if start == count &- 10 { break }
      // The last eight overlap the ones before where the count is no multiple.
      start = min(start &+ 8, count &- 10)
    }
    var bend: Float = 0
    for lane in 0..<8 where largest[lane] > bend { bend = largest[lane] }
    return bend
  }

  @_noLocks @inline(__always)
  private static func raise(_ peak: inout SIMD8<Float>, to samples: SIMD8<Float>) {
    let magnitude = PeakScan.magnitude(of: samples)
    peak.replace(with: magnitude, where: magnitude .> peak)
  }

  /// Each lane without its sign.
  @_noLocks @inline(__always)
  static func magnitude(of samples: SIMD8<Float>) -> SIMD8<Float> {
    unsafeBitCast(
      unsafeBitCast(samples, to: SIMD8<UInt32>.self) & SIMD8(repeating: 0x7FFF_FFFF), to: SIMD8<Float>.self)
  }
}
