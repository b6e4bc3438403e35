import AudioGraph
public import Effects

/// Loudness and true peak that the output of a job is to have.
///
/// Both hold for the output as it is stored, at its own sample rate and in its own sample format. In a lossy file they
/// hold for the decoded sound.
public struct LoudnessTarget: Hashable, Sendable {
  /// Loudness that can be asked for, in LUFS.
  public static let integratedRange = -70.0 ... -5.0
  /// True peaks that can be asked for, in dBTP.
  public static let truePeakRange = -20.0...0.0
  /// Distance from the target within which it counts as reached, in LU.
  public static let tolerance = 0.1

  /// Integrated loudness of the output, in LUFS; nil to keep the level and limit only the peaks.
  public var integrated: Double?
  /// Largest true peak of the output, in dBTP.
  public var truePeak: Double

  /// Creates a target from its parts.
  public init(integrated: Double?, truePeak: Double = -1) {
    self.integrated = integrated
    self.truePeak = truePeak
  }

  /// Throws `EngineError` with `.invalidArgument` for a value out of range.
  func check() throws(EngineError) {
    if let integrated, !Self.integratedRange.contains(integrated) {
      throw EngineError(.invalidArgument, "a loudness target is -70 to -5 LUFS, not \(integrated)")
    }
    guard Self.truePeakRange.contains(truePeak) else {
      throw EngineError(.invalidArgument, "the true peak of a loudness target is -20 to 0 dBTP, not \(truePeak)")
    }
  }
}

/// Result of a job with a loudness target.
public struct LoudnessTargetResult: Hashable, Sendable {
  /// Reason why a target was not reached.
  public enum Obstacle: Hashable, Sendable {
    /// The largest gain, 24 dB beyond the plain difference: the limiter takes all that is added.
    case limiter
    /// The search ended at the largest number of passes.
    case passes
    /// The codec of a lossy file changes the levels with each trial.
    case codec
  }

  /// Target of the job.
  public let target: LoudnessTarget
  /// Gain behind the mix; 0 dB if the sound needed none, or has no loudness.
  public let gain: Decibels
  /// Smallest gain of the limiter behind it; 0 dB if it never acted.
  public let limiterGain: Decibels
  /// Passes over the sound: the job itself, trials, and the one that wrote the output.
  public let passes: Int
  /// Largest DC offset of a channel that was removed before the gain; 0 if none was.
  public let removedOffset: Float
  /// Reason why the target was not reached, if it was not.
  let possibleObstacle: Obstacle
  /// Loudness of the output, in LUFS; nil for silence, and for less than 400 ms of sound.
  public let integrated: Double?
  /// Largest true peak of the output, in dBTP, by the limiter's meter; nil for silence.
  public let truePeak: Double?

  /// Reason why the target was not reached; nil if it was, or the sound has no loudness.
  public var obstacle: Obstacle? { isReached || integrated == nil ? nil : possibleObstacle }

  /// Whether the output has the loudness of the target within 0.1 LU, and no true peak above the target's.
  public var isReached: Bool {
    let isBelow = (truePeak ?? -.infinity) <= target.truePeak
    guard let wanted = target.integrated else { return isBelow }
    guard let integrated else { return false }
    return isBelow && abs(integrated - wanted) <= LoudnessTarget.tolerance
  }
}
