/// What is kept of a window while later ones may still change what it means.
struct WindowRecord: BitwiseCopyable {
  /// A window's candidates and, last, "unvoiced".
  static var stateCount: Int { @_noLocks get { CandidatePicker.capacity &+ 1 } }
  /// Floats that `values` points to.
  static var valueCount: Int { @_noLocks get { stateCount &* (stateCount &+ 5) } }

  var seconds = 0.0
  /// Valid candidates.
  var count = 0
  /// Shape: `stateCount` values each of hertz, octave, weight of the evidence, forward probability, backward
  /// probability; then, for each state of this window, the weights of coming from each state of the one before.
  let values: UnsafeMutablePointer<Float>
  /// From which state of the window before the best path to each state comes.
  let origins: UnsafeMutablePointer<Int32>

  var hertz: UnsafeMutablePointer<Float> { @_noLocks get { values } }
  var octaves: UnsafeMutablePointer<Float> { @_noLocks get { values + Self.stateCount } }
  var weights: UnsafeMutablePointer<Float> { @_noLocks get { values + 2 &* Self.stateCount } }
  var forward: UnsafeMutablePointer<Float> { @_noLocks get { values + 3 &* Self.stateCount } }
  var backward: UnsafeMutablePointer<Float> { @_noLocks get { values + 4 &* Self.stateCount } }
  /// Weights of coming to `state` from each state before.
  @_noLocks
  func arrivals(at state: Int) -> UnsafeMutablePointer<Float> {
    values + (5 &+ state) &* Self.stateCount
  }
}
