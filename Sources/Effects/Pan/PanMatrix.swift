/// The gains of each input channel to each ear.
///
/// Source: mono, constant power scaled to 1 at the center; stereo, Web Audio API 1.0, StereoPannerNode: the far channel
/// folds into the near one.
struct PanMatrix: BitwiseCopyable {
  /// Gains into the left output: from the left (or only) input, from the right one.
  var left: SIMD2<Float>
  /// Gains into the right output: from the left (or only) input, from the right one.
  var right: SIMD2<Float>

  /// Returns the matrix that leaves stereo as it is, and sends mono to both ears as it is.
  @_noLocks
  static func unity(inputChannelCount: Int) -> PanMatrix {
    inputChannelCount == 1
      ? PanMatrix(left: SIMD2(1, 0), right: SIMD2(1, 0)) : PanMatrix(left: SIMD2(1, 0), right: SIMD2(0, 1))
  }

  @_noLocks
  init(left: SIMD2<Float>, right: SIMD2<Float>) {
    self.left = left
    self.right = right
  }

  /// Creates the matrix of a position. Shape: `pan` -1...1, `gain` a factor.
  @_noLocks
  init(pan: Float, gain: Float, inputChannelCount: Int) {
    // sqrt2 cos(pi/4) is not 1 in floating point.
    var matrix = PanMatrix.unity(inputChannelCount: inputChannelCount)
    let pan = Double(pan)
    if pan != 0, inputChannelCount == 1 {
      let wave = PanTable((pan + 1) / 2)
      matrix.left[0] = Float(PanMatrix.squareRootOfTwo * wave.cosine)
      matrix.right[0] = Float(PanMatrix.squareRootOfTwo * wave.sine)
    } else if pan < 0 {
      let wave = PanTable(pan + 1)
      matrix.left[1] = Float(wave.cosine)
      matrix.right[1] = Float(wave.sine)
    } else if pan > 0 {
      let wave = PanTable(pan)
      matrix.left[0] = Float(wave.cosine)
      matrix.right[0] = Float(wave.sine)
    }
    left = matrix.left * gain
    right = matrix.right * gain
  }

  /// Returns whether both matrices give the same gains.
  @_noLocks
  func isSame(as other: PanMatrix) -> Bool {
    left[0] == other.left[0] && left[1] == other.left[1] && right[0] == other.right[0] && right[1] == other.right[1]
  }

  private static var squareRootOfTwo: Double { @_noLocks get { 1.4142135623730951 } }
}
