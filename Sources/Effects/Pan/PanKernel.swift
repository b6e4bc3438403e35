/// Multiplies a stereo pair by a constant or moving matrix.
///
/// Shape: planes of a `Frame`, aligned to 64 bytes; reads and writes up to the next multiple of 16 samples.
enum PanKernel {
  /// Multiplies `count` samples; the outputs may be the inputs. Real-time: wait-free.
  @_noLocks
  static func apply(
    from start: PanMatrix, to end: PanMatrix, _ left: UnsafePointer<Float>, _ right: UnsafePointer<Float>,
    _ outputLeft: UnsafeMutablePointer<Float>, _ outputRight: UnsafeMutablePointer<Float>, count: Int
  ) {
    // SAFETY: planes are aligned to 64 bytes and padded to whole cache lines of 16 samples.
    let sourceLeft = UnsafeRawPointer(left).assumingMemoryBound(to: SIMD8<Float>.self)
    let sourceRight = UnsafeRawPointer(right).assumingMemoryBound(to: SIMD8<Float>.self)
    let targetLeft = UnsafeMutableRawPointer(outputLeft).assumingMemoryBound(to: SIMD8<Float>.self)
    let targetRight = UnsafeMutableRawPointer(outputRight).assumingMemoryBound(to: SIMD8<Float>.self)
    let lanes = SIMD8<Float>(1, 2, 3, 4, 5, 6, 7, 8)
    let leftStep = (end.left - start.left) / Float(count)
    let rightStep = (end.right - start.right) / Float(count)
    let isConstant = start.isSame(as: end)
    for block in 0..<((count &+ 7) / 8) {
      let fromLeft = sourceLeft[block]
      let fromRight = sourceRight[block]
      if isConstant {
        targetLeft[block] = fromLeft * end.left[0] + fromRight * end.left[1]
        targetRight[block] = fromLeft * end.right[0] + fromRight * end.right[1]
      } else {
        let at = lanes + Float(8 &* block)
        targetLeft[block] =
          fromLeft * (at * leftStep[0] + start.left[0]) + fromRight * (at * leftStep[1] + start.left[1])
        targetRight[block] =
          fromLeft * (at * rightStep[0] + start.right[0]) + fromRight * (at * rightStep[1] + start.right[1])
      }
    }
  }
}
