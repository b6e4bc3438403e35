/// One row of a pitch track.
public struct PitchPoint: BitwiseCopyable, Hashable, Sendable {
  /// The middle of the window that was analysed, in seconds since the first sample.
  public let seconds: Double
  /// What was found there.
  public let estimate: PitchEstimate

  /// Both values as they are given.
  @_noLocks
  public init(seconds: Double, estimate: PitchEstimate) {
    self.seconds = seconds
    self.estimate = estimate
  }
}
