import AudioGraph

/// Multiplies samples by a constant or moving gain.
///
/// Shape: planes of a `Frame`, aligned to 64 bytes; reads and writes up to the next multiple of 16 samples.
enum GainKernel {
  /// Multiplies `count` samples; `output` may be `input`. Real-time: wait-free.
  @_noLocks
  static func apply(
    _ ramp: Ramp, _ input: UnsafePointer<Float>, _ output: UnsafeMutablePointer<Float>, count: Int
  ) {
    // SAFETY: planes are aligned to 64 bytes and padded to whole cache lines of 16 samples.
    let source = UnsafeRawPointer(input).assumingMemoryBound(to: SIMD8<Float>.self)
    let target = UnsafeMutableRawPointer(output).assumingMemoryBound(to: SIMD8<Float>.self)
    let blocks = (count &+ 7) / 8
    if ramp.isConstant {
      for block in 0..<blocks { target[block] = source[block] * ramp.end }
    } else {
      let step = ramp.step(over: count)
      let lanes = SIMD8<Float>(1, 2, 3, 4, 5, 6, 7, 8)
      for block in 0..<blocks {
        target[block] = source[block] * ((lanes + Float(8 &* block)) * step + ramp.start)
      }
    }
  }
}
