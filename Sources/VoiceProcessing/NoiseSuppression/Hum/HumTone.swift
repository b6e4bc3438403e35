/// One tone of a hum: where it lies, and how sure it is.
struct HumTone: BitwiseCopyable {
  var hertz: Float
  /// By how much it turns from one spectrum to the next.
  var turn = Phasor(1, 0)
  /// False until there is something to take away.
  var isKnown = false
  /// How often the phase is what it is taken for, of 1; a quarter is chance.
  var trust: Float = 0.5
  /// Spectra in a row that had less than half of it.
  var lacking = 0
  /// Phases of what has not been taken away yet, added up, and the sum of one by the magnitude with which each came.
  var phases = Phasor.zero
  var weight: Float = 0

  @_noLocks
  init(hertz: Float) { self.hertz = hertz }
}

/// A tone in one channel.
struct HumAmplitude: BitwiseCopyable {
  /// Amplitude and phase in the middle of the newest window.
  var now = Phasor.zero
  /// What has been taken away at the end of the last frame.
  var taken = Phasor.zero
  /// What has not been taken away, weighed by one by the magnitude and added up.
  var missing = Phasor.zero

  @_noLocks
  init() {}
}
