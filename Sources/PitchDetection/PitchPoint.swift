/// One row of a pitch track.
public struct PitchPoint: BitwiseCopyable, Hashable, Sendable {
  /// Middle of the analyzed window, in seconds since the first sample.
  public let seconds: Double
  /// Estimate for that window.
  public let estimate: PitchEstimate

  /// Creates a row from both values, unchanged.
  @_noLocks
  public init(seconds: Double, estimate: PitchEstimate) {
    self.seconds = seconds
    self.estimate = estimate
  }
}
