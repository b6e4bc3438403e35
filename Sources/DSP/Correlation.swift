/// Sums of products of two signals, for correlations at a lag. Real-time: wait-free.
package enum Correlation {
  /// Returns the sum of the products of `count` samples of `one` and `other`.
  @_noLocks
  package static func product(_ one: UnsafePointer<Float>, _ other: UnsafePointer<Float>, count: Int) -> Float {
    let (a, b) = (UnsafeRawPointer(one), UnsafeRawPointer(other))
    var (first, second) = (SIMD8<Float>(repeating: 0), SIMD8<Float>(repeating: 0))
    for pair in 0..<(count / 16) {
      let offset = 64 &* pair
      first +=
        a.loadUnaligned(fromByteOffset: offset, as: SIMD8<Float>.self)
        * b.loadUnaligned(fromByteOffset: offset, as: SIMD8<Float>.self)
      second +=
        a.loadUnaligned(fromByteOffset: offset &+ 32, as: SIMD8<Float>.self)
        * b.loadUnaligned(fromByteOffset: offset &+ 32, as: SIMD8<Float>.self)
    }
    var sum = (first + second).total
    for index in (count / 16 &* 16)..<count { sum += one[index] * other[index] }
    return sum
  }

  /// Returns four sums of the products of `count` samples, with `other` read from 0, 1, 2 and 3 samples on. Each sample
  /// of `one` is loaded once for all four lags.
  @_noLocks
  package static func products(
    _ one: UnsafePointer<Float>, _ other: UnsafePointer<Float>, count: Int
  ) -> SIMD4<Float> {
    let (a, b) = (UnsafeRawPointer(one), UnsafeRawPointer(other))
    var (first, second) = (SIMD8<Float>(repeating: 0), SIMD8<Float>(repeating: 0))
    var (third, fourth) = (SIMD8<Float>(repeating: 0), SIMD8<Float>(repeating: 0))
    for block in 0..<(count / 8) {
      let offset = 32 &* block
      let samples = a.loadUnaligned(fromByteOffset: offset, as: SIMD8<Float>.self)
      first += samples * b.loadUnaligned(fromByteOffset: offset, as: SIMD8<Float>.self)
      second += samples * b.loadUnaligned(fromByteOffset: offset &+ 4, as: SIMD8<Float>.self)
      third += samples * b.loadUnaligned(fromByteOffset: offset &+ 8, as: SIMD8<Float>.self)
      fourth += samples * b.loadUnaligned(fromByteOffset: offset &+ 12, as: SIMD8<Float>.self)
    }
    var sums = SIMD4(first.total, second.total, third.total, fourth.total)
    for index in (count / 8 &* 8)..<count {
      sums += one[index] * SIMD4(other[index], other[index &+ 1], other[index &+ 2], other[index &+ 3])
    }
    return sums
  }
}
