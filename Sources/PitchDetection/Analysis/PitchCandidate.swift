/// A pitch that a window of sound may have.
package struct PitchCandidate: BitwiseCopyable {
  /// In Hz.
  package let hertz: Float
  /// log2 of the pitch over 200 Hz.
  let octave: Float
  /// The normalised difference function's peak, 0.1 to about 1.
  let periodicity: Float
  /// How alike the two periods in the middle of the window are, -1 to 1.
  var localPeriodicity: Float = 0
  /// By how much the pitch is likelier than none: log2 of the odds.
  var evidence: Float = -60

  @_noLocks
  init(hertz: Float, octave: Float, periodicity: Float) {
    self.hertz = hertz
    self.octave = octave
    self.periodicity = periodicity
  }
}
