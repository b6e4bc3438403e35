/// Numbers for each bin of a spectrum, or a few rows of them, in memory at a fixed address.
///
/// Shape: rows of a multiple of 16 values, each row aligned for vectors.
package struct SpectrumBuffer: ~Copyable {
  @usableFromInline package let pointer: UnsafeMutablePointer<Float>
  @usableFromInline package let stride: Int
  private let rowCount: Int

  package init(_ count: Int, rows: Int = 1, value: Float = 0) {
    stride = (count + 15) / 16 * 16
    rowCount = rows
    pointer = UnsafeMutableRawPointer.allocate(byteCount: stride * rows * 4, alignment: 64)
      .bindMemory(to: Float.self, capacity: stride * rows)
    pointer.initialize(repeating: value, count: stride * rows)
  }

  deinit { pointer.deallocate() }

  /// Returns the first value of a row.
  @_noLocks @inlinable @inline(__always)
  package func row(_ index: Int) -> UnsafeMutablePointer<Float> { pointer + index &* stride }

  /// Sets every value of every row.
  @_noLocks
  package func fill(_ value: Float) {
    for index in 0..<(stride &* rowCount) { pointer[index] = value }
  }
}

extension UnsafeMutablePointer<Float> {
  /// Returns eight values from `index` on.
  @_noLocks @inlinable @inline(__always)
  package func eight(_ index: Int) -> SIMD8<Float> {
    UnsafeRawPointer(self).loadUnaligned(fromByteOffset: 4 &* index, as: SIMD8<Float>.self)
  }

  /// Replaces eight values from `index` on.
  @_noLocks @inlinable @inline(__always)
  package func setEight(_ index: Int, _ values: SIMD8<Float>) {
    UnsafeMutableRawPointer(self).storeBytes(of: values, toByteOffset: 4 &* index, as: SIMD8<Float>.self)
  }
}
