/// The pitch of a voice at one moment.
public struct PitchEstimate: BitwiseCopyable, Hashable, Sendable {
  /// The pitch in Hz; 0 where nothing is voiced.
  public let hertz: Float
  /// How probable it is that something is voiced, 0 to 1.
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
