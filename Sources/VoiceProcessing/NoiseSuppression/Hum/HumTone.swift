/// One tone of a hum: its frequency, and how sure it is.
struct HumTone: BitwiseCopyable {
  var hertz: Float
  /// Turn from one spectrum to the next.
  var turn = Phasor(1, 0)
  /// Whether the tone is strong enough to be removed.
  var isKnown = false
  /// Share of spectra in which the phase is the expected one; a quarter is chance.
  var trust: Float = 0.5
  /// Spectra in a row with less than half of the tone.
  var lacking = 0
  /// Sum of the phases of the remaining tone; `weight` is the sum of the reciprocal magnitudes.
  var phases = Phasor.zero
  var weight: Float = 0

  @_noLocks
  init(hertz: Float) { self.hertz = hertz }
}

/// A tone in one channel.
struct HumAmplitude: BitwiseCopyable {
  /// Amplitude and phase in the middle of the newest window.
  var now = Phasor.zero
  /// Tone that was removed at the end of the last frame.
  var taken = Phasor.zero
  /// Sum of the remaining tone, weighted by the reciprocal magnitude.
  var missing = Phasor.zero

  @_noLocks
  init() {}
}
