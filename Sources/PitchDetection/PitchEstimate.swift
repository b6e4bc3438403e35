/// The pitch of a voice at one moment.
public struct PitchEstimate: BitwiseCopyable, Hashable, Sendable {
  /// The pitch in Hz; 0 where nothing is voiced.
  public let hertz: Float
  /// How probable it is that something is voiced, 0 to 1.
  ///
  /// A single tone above the range of pitches is not voiced. A tone above 1.25 kHz that has overtones, and two notes at
  /// once, can be told as a lower pitch that fits them all, and with a voicing of 1: this is a detector of voices, not
  /// of notes.
  public let voicing: Float

  /// Both values as they are given.
  @_noLocks
  public init(hertz: Float, voicing: Float) {
    self.hertz = hertz
    self.voicing = voicing
  }

  /// Whether there is a pitch.
  public var isVoiced: Bool { @_noLocks get { hertz > 0 } }
}
