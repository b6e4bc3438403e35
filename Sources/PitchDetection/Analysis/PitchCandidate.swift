/// A pitch that a window of sound may have.
package struct PitchCandidate: BitwiseCopyable {
  /// Pitch, in Hz.
  package let hertz: Float
  /// Log2 of the pitch over 200 Hz.
  let octave: Float
  /// Peak of the normalized difference function, 0.1 to about 1.
  let periodicity: Float
  /// Correlation of the two periods in the middle of the window, -1 to 1.
  var localPeriodicity: Float = 0
  /// Log2 of the odds of this pitch against unvoiced.
  var evidence: Float = -60

  @_noLocks
  init(hertz: Float, octave: Float, periodicity: Float) {
    self.hertz = hertz
    self.octave = octave
    self.periodicity = periodicity
  }
}
