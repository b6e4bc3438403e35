/// Sums squares, finds the peak and counts clipped samples, 16 samples at a time.
public enum LevelKernel {
  /// Largest value that 16 bits hold: a sample of this magnitude was clipped, or is about to be.
  public static var clippingMagnitude: Float { @_noLocks get { 32_767.0 / 32_768.0 } }

  /// Adds `count` samples to `level`; NaN counts as 0. Real-time: wait-free.
  @_noLocks
  static func add(_ samples: UnsafePointer<Float>, count: Int, to level: inout FrameLevel) {
    let raw = UnsafeRawPointer(samples)
    let pairs = count / 16
    var (lowSquares, highSquares) = (SIMD8<Float>(repeating: 0), SIMD8<Float>(repeating: 0))
    var (lowPeak, highPeak) = (SIMD8<Float>(repeating: 0), SIMD8<Float>(repeating: 0))
    for pair in 0..<pairs {
      let low = raw.loadUnaligned(fromByteOffset: 64 &* pair, as: SIMD8<Float>.self)
      let high = raw.loadUnaligned(fromByteOffset: 64 &* pair &+ 32, as: SIMD8<Float>.self)
      lowSquares += low * low
      highSquares += high * high
      raise(&lowPeak, to: low)
      raise(&highPeak, to: high)
    }
    var squares = sum(lowSquares) + sum(highSquares)
    var peak = larger(largest(lowPeak), largest(highPeak))
    for index in (16 &* pairs)..<count {
      squares += samples[index] * samples[index]
      peak = larger(samples[index].magnitude, peak)
    }
    level.sampleCount &+= count
    // 0 x finite is 0: false if the sum is infinite or not a number, also if a NaN hides behind it.
    level.squareSum += squares * 0 == 0 ? Double(squares) : exactSquareSum(samples, count: count)
    if peak > level.peak { level.peak = peak }
    if peak >= clippingMagnitude { level.clippedCount &+= clippedCount(samples, count: count) }
  }

  /// Returns the sum in doubles: a float's square can exceed all floats, but not all doubles. Seldom needed.
  @_noLocks @inline(never)
  private static func exactSquareSum(_ samples: UnsafePointer<Float>, count: Int) -> Double {
    var sum = 0.0
    for index in 0..<count where samples[index] == samples[index] {
      sum += Double(samples[index]) * Double(samples[index])
    }
    return sum
  }

  @_noLocks @inline(never)
  private static func clippedCount(_ samples: UnsafePointer<Float>, count: Int) -> Int {
    var clipped = 0
    for index in 0..<count where samples[index].magnitude >= clippingMagnitude { clipped &+= 1 }
    return clipped
  }

  @_noLocks @inline(__always)
  private static func raise(_ peak: inout SIMD8<Float>, to samples: SIMD8<Float>) {
    let magnitude = unsafeBitCast(
      unsafeBitCast(samples, to: SIMD8<UInt32>.self) & SIMD8(repeating: 0x7FFF_FFFF), to: SIMD8<Float>.self)
    peak.replace(with: magnitude, where: magnitude .> peak)
  }

  /// Returns the largest lane. This function and `sum` are not inlined, because their shuffles would enter the loop
  /// above.
  @_noLocks @inline(never)
  private static func largest(_ lanes: SIMD8<Float>) -> Float {
    let first = larger(larger(lanes[0], lanes[1]), larger(lanes[2], lanes[3]))
    return larger(larger(larger(lanes[4], lanes[5]), larger(lanes[6], lanes[7])), first)
  }

  @_noLocks @inline(never)
  private static func sum(_ lanes: SIMD8<Float>) -> Float {
    ((lanes[0] + lanes[1]) + (lanes[2] + lanes[3])) + ((lanes[4] + lanes[5]) + (lanes[6] + lanes[7]))
  }

  @_noLocks @inline(__always)
  private static func larger(_ a: Float, _ b: Float) -> Float { a > b ? a : b }
}
