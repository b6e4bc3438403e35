/// One source of a mix: its samples and its gains to the left and the right output.
public struct MixInput: BitwiseCopyable {
  let left: UnsafePointer<Float>
  let right: UnsafePointer<Float>
  let leftGain: Ramp
  let rightGain: Ramp

  /// Creates a source; it is mono if both pointers are the same.
  ///
  /// The samples must lie at a 32-byte boundary, as in the planes of a `Frame`. They must be readable up to the next
  /// multiple of 16 samples.
  @_noLocks
  public init(left: UnsafePointer<Float>, right: UnsafePointer<Float>, leftGain: Ramp, rightGain: Ramp) {
    self.left = left
    self.right = right
    self.leftGain = leftGain
    self.rightGain = rightGain
  }

  var isConstant: Bool { @_noLocks get { leftGain.isConstant && rightGain.isConstant } }
}
