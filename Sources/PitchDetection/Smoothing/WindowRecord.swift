/// Data of a window, kept while later windows may still change its pitch.
struct WindowRecord: BitwiseCopyable {
  /// Number of states: a window's candidates and, last, "unvoiced".
  static var stateCount: Int { @_noLocks get { CandidatePicker.capacity &+ 1 } }
  /// Number of floats that `values` points to.
  static var valueCount: Int { @_noLocks get { stateCount &* (stateCount &+ 5) } }

  var seconds = 0.0
  /// Number of valid candidates.
  var count = 0
  /// Shape: `stateCount` values each of hertz, octave, weight of the evidence, forward probability, backward
  /// probability. Then, for each state of this window, the weights of transitions from each state of the one before.
  let values: UnsafeMutablePointer<Float>
  /// State of the window before on the best path to each state.
  let origins: UnsafeMutablePointer<Int32>

  var hertz: UnsafeMutablePointer<Float> { @_noLocks get { values } }
  var octaves: UnsafeMutablePointer<Float> { @_noLocks get { values + Self.stateCount } }
  var weights: UnsafeMutablePointer<Float> { @_noLocks get { values + 2 &* Self.stateCount } }
  var forward: UnsafeMutablePointer<Float> { @_noLocks get { values + 3 &* Self.stateCount } }
  var backward: UnsafeMutablePointer<Float> { @_noLocks get { values + 4 &* Self.stateCount } }
  /// Returns the weights of transitions to `state` from each state before.
  @_noLocks
  func arrivals(at state: Int) -> UnsafeMutablePointer<Float> {
    values + (5 &+ state) &* Self.stateCount
  }
}
