/// Sums sources into one stereo pair, 16 samples of up to eight sources at a time.
///
/// The sums of a tile stay in registers while the sources pass by. The output is thus read and written once for eight
/// sources instead of once for each.
public enum MixKernel {
  /// Largest number of sources that one call takes.
  public static var maximumInputCount: Int { @_noLocks get { 8 } }

  /// Adds `inputCount` sources into `left` and `right`.
  ///
  /// Shape: `count` samples; writes up to the next multiple of 16. If `right` is `left`, only the left sums are
  /// written.
  /// Real-time: wait-free.
  ///
  /// - Parameters:
  ///   - inputs: Sources to sum.
  ///   - inputCount: Number of sources, 1...8.
  ///   - left: Left output.
  ///   - right: Right output.
  ///   - count: Samples per channel.
  ///   - adding: Whether the sums are added to the content of the outputs; otherwise they overwrite it.
  @_noLocks
  public static func mix(
    _ inputs: UnsafePointer<MixInput>, inputCount: Int, left: UnsafeMutablePointer<Float>,
    right: UnsafeMutablePointer<Float>, count: Int, adding: Bool
  ) {
    var isConstant = true
    for index in 0..<inputCount where !inputs[index].isConstant { isConstant = false }
    if isConstant {
      mixConstant(inputs, inputCount, left, right, count, adding)
    } else {
      mixRamped(inputs, inputCount, left, right, count, adding)
    }
  }

  @_noLocks
  private static func mixConstant(
    _ inputs: UnsafePointer<MixInput>, _ inputCount: Int, _ left: UnsafeMutablePointer<Float>,
    _ right: UnsafeMutablePointer<Float>, _ count: Int, _ adding: Bool
  ) {
    let tiles = (count &+ 15) / 16
    for tile in 0..<tiles {
      let first = 2 &* tile
      let second = first &+ 1
      let input = inputs[0]
      // The first source is assigned, not added to zero, which would turn -0 into +0.
      var l0 = lanes8(input.left, first) * input.leftGain.end
      var l1 = lanes8(input.left, second) * input.leftGain.end
      var r0 = lanes8(input.right, first) * input.rightGain.end
      var r1 = lanes8(input.right, second) * input.rightGain.end
      for index in 1..<max(1, inputCount) {
        let input = inputs[index]
        l0 += lanes8(input.left, first) * input.leftGain.end
        l1 += lanes8(input.left, second) * input.leftGain.end
        r0 += lanes8(input.right, first) * input.rightGain.end
        r1 += lanes8(input.right, second) * input.rightGain.end
      }
      store(l0, l1, left, first, adding)
      if right != left { store(r0, r1, right, first, adding) }
    }
  }

  @_noLocks
  private static func mixRamped(
    _ inputs: UnsafePointer<MixInput>, _ inputCount: Int, _ left: UnsafeMutablePointer<Float>,
    _ right: UnsafeMutablePointer<Float>, _ count: Int, _ adding: Bool
  ) {
    let tiles = (count &+ 15) / 16
    let scale = 1 / Float(count)
    let lanes = SIMD8<Float>(1, 2, 3, 4, 5, 6, 7, 8)
    for tile in 0..<tiles {
      let first = 2 &* tile
      let second = first &+ 1
      let at0 = (lanes + Float(16 &* tile)) * scale
      let at1 = (lanes + Float(16 &* tile &+ 8)) * scale
      var l0 = SIMD8<Float>(repeating: 0)
      var l1 = l0
      var r0 = l0
      var r1 = l0
      for index in 0..<inputCount {
        let input = inputs[index]
        let leftChange = input.leftGain.end - input.leftGain.start
        let rightChange = input.rightGain.end - input.rightGain.start
        l0 += lanes8(input.left, first) * (at0 * leftChange + input.leftGain.start)
        l1 += lanes8(input.left, second) * (at1 * leftChange + input.leftGain.start)
        r0 += lanes8(input.right, first) * (at0 * rightChange + input.rightGain.start)
        r1 += lanes8(input.right, second) * (at1 * rightChange + input.rightGain.start)
      }
      store(l0, l1, left, first, adding)
      if right != left { store(r0, r1, right, first, adding) }
    }
  }

  @_noLocks @inline(__always)
  private static func lanes8(_ samples: UnsafePointer<Float>, _ block: Int) -> SIMD8<Float> {
    // SAFETY: planes are aligned to 64 bytes and padded to whole blocks, see `FrameMemory`.
    UnsafeRawPointer(samples).assumingMemoryBound(to: SIMD8<Float>.self)[block]
  }

  @_noLocks @inline(__always)
  private static func store(
    _ low: SIMD8<Float>, _ high: SIMD8<Float>, _ output: UnsafeMutablePointer<Float>, _ block: Int, _ adding: Bool
  ) {
    // SAFETY: as in `lanes8`.
    let target = UnsafeMutableRawPointer(output).assumingMemoryBound(to: SIMD8<Float>.self)
    if adding {
      target[block] += low
      target[block &+ 1] += high
    } else {
      target[block] = low
      target[block &+ 1] = high
    }
  }
}
