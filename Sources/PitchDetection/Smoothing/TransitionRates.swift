import DSP

/// How unlikely changes from one window to the next are; the likeliest has weight 1.
struct TransitionRates: BitwiseCopyable {
  /// Weight of voice that begins or ends.
  let change: Float
  /// -log2 of the weight of a jump by an octave; other intervals in proportion, up to two octaves.
  let jump: Float

  /// e^-3.5, and 16 bits for an octave: quicker to call voice, where only one later window can correct an error, and
  /// slower to go to another pitch, which among other voices is often that of somebody else.
  static var live: TransitionRates { @_noLocks get { TransitionRates(change: 0.030_197, jump: 16) } }
  /// e^-4, and 8 nats for an octave.
  static var offline: TransitionRates { @_noLocks get { TransitionRates(change: 0.018_316, jump: 11.542) } }

  /// Weight of a change of pitch by so many octaves.
  @_noLocks @inline(__always)
  func stay(_ octaves: Float) -> Float { fastExp2(cost(octaves)) }

  /// log2 of that weight.
  @_noLocks @inline(__always)
  func cost(_ octaves: Float) -> Float {
    let interval = octaves.magnitude
    return -jump * (interval < 2 ? interval : 2)
  }
}
