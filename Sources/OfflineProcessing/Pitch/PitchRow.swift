/// One row of a pitch track.
public struct PitchRow: BitwiseCopyable, Hashable, Sendable {
  /// Middle of the analyzed window, in seconds since the first sample.
  public let seconds: Double
  /// Pitch in Hz; 0 if nothing is voiced.
  public let hertz: Float
  /// Probability of a voice, 0 to 1.
  public let voicing: Float

  /// Creates a row from its values, unchanged.
  public init(seconds: Double, hertz: Float, voicing: Float) {
    self.seconds = seconds
    self.hertz = hertz
    self.voicing = voicing
  }

  /// Whether there is a pitch.
  public var isVoiced: Bool { hertz > 0 }
}
