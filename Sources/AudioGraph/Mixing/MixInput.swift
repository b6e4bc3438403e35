/// One source of a mix: where its samples are and how loud they go to the left and the right output.
public struct MixInput: BitwiseCopyable {
  let left: UnsafePointer<Float>
  let right: UnsafePointer<Float>
  let leftGain: Ramp
  let rightGain: Ramp

  /// A mono source where both pointers are the same.
  ///
  /// The samples must lie at a 32-byte boundary and be readable up to the next multiple of 16 samples, as the
  /// planes of a `Frame` are.
  @_noLocks
  public init(left: UnsafePointer<Float>, right: UnsafePointer<Float>, leftGain: Ramp, rightGain: Ramp) {
    self.left = left
    self.right = right
    self.leftGain = leftGain
    self.rightGain = rightGain
  }

  var isConstant: Bool { @_noLocks get { leftGain.isConstant && rightGain.isConstant } }
}
