import DSP

/// Weights of changes from one window to the next; the likeliest has weight 1.
struct TransitionRates: BitwiseCopyable {
  /// Weight of voice that begins or ends.
  let change: Float
  /// -log2 of the weight of a jump by an octave; other intervals in proportion, up to two octaves.
  let jump: Float

  /// Rates for live detection: e^-3.5, and 16 bits for an octave.
  ///
  /// They find voice sooner, since only one later window can correct an error. They change pitch later, since among
  /// other voices the other pitch often belongs to another speaker.
  static var live: TransitionRates { @_noLocks get { TransitionRates(change: 0.030_197, jump: 16) } }
  /// Rates for offline tracking: e^-4, and 8 nats for an octave.
  static var offline: TransitionRates { @_noLocks get { TransitionRates(change: 0.018_316, jump: 11.542) } }

  /// Returns the weight of a change of pitch by a number of octaves.
  @_noLocks @inline(__always)
  func stay(_ octaves: Float) -> Float { fastExp2(cost(octaves)) }

  /// Returns log2 of the weight of a change of pitch by a number of octaves.
  @_noLocks @inline(__always)
  func cost(_ octaves: Float) -> Float {
    let interval = octaves.magnitude
    return -jump * (interval < 2 ? interval : 2)
  }
}
