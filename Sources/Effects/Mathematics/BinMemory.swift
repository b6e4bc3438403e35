/// Numbers for each bin of a spectrum, or a few rows of them, in memory that stays where it is.
///
/// Shape: rows of a multiple of 8 values, each row aligned for vectors.
struct BinMemory: ~Copyable {
  let pointer: UnsafeMutablePointer<Float>
  let stride: Int
  private let rowCount: Int

  init(_ count: Int, rows: Int = 1, value: Float = 0) {
    stride = (count + 15) / 16 * 16
    rowCount = rows
    pointer = UnsafeMutableRawPointer.allocate(byteCount: stride * rows * 4, alignment: 64)
      .bindMemory(to: Float.self, capacity: stride * rows)
    pointer.initialize(repeating: value, count: stride * rows)
  }

  deinit { pointer.deallocate() }

  /// The first value of a row.
  @_noLocks @inline(__always)
  func row(_ index: Int) -> UnsafeMutablePointer<Float> { pointer + index &* stride }

  /// Sets every value of every row.
  @_noLocks
  func fill(_ value: Float) {
    for index in 0..<(stride &* rowCount) { pointer[index] = value }
  }
}

extension UnsafeMutablePointer<Float> {
  /// Eight values from `index` on.
  @_noLocks @inline(__always)
  func eight(_ index: Int) -> SIMD8<Float> {
    UnsafeRawPointer(self).loadUnaligned(fromByteOffset: 4 &* index, as: SIMD8<Float>.self)
  }

  /// Replaces eight values from `index` on.
  @_noLocks @inline(__always)
  func setEight(_ index: Int, _ values: SIMD8<Float>) {
    UnsafeMutableRawPointer(self).storeBytes(of: values, toByteOffset: 4 &* index, as: SIMD8<Float>.self)
  }
}
