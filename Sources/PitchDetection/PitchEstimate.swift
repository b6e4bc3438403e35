/// The pitch of a voice at one moment.
public struct PitchEstimate: BitwiseCopyable, Hashable, Sendable {
  /// Pitch in Hz; 0 if nothing is voiced.
  public let hertz: Float
  /// Probability of a voice, 0 to 1.
  ///
  /// A single tone above the range of pitches is not voiced. A tone above 1.25 kHz with overtones, or two notes at
  /// once, can be reported as a lower pitch that fits them all. The voicing is then 1: this is a detector of voices,
  /// not of notes.
  public let voicing: Float

  /// Creates an estimate from both values, unchanged.
  @_noLocks
  public init(hertz: Float, voicing: Float) {
    self.hertz = hertz
    self.voicing = voicing
  }

  /// Whether there is a pitch.
  public var isVoiced: Bool { @_noLocks get { hertz > 0 } }
}
