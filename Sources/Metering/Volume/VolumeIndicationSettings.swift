/// Settings of volume reports.
public struct VolumeIndicationSettings: Hashable, Sendable {
  /// The shortest interval, in milliseconds: one frame.
  public static let shortestInterval = 10
  /// Allowed values of `smooth`.
  public static let smoothRange = 0...10

  /// Milliseconds from report to report; more than 200 is advised. Frames are 10 ms: a report comes with the frame in
  /// which it is due.
  public let intervalMilliseconds: Int
  /// Speed of a reported volume: 0 is slowest, 10 switches smoothing off, 3 is advised. See `timeConstantMilliseconds`.
  public let smooth: Int
  /// Whether reports of the local user state if it speaks.
  public let reportsVoiceActivity: Bool
  /// Largest number of remote users in a report; 3 in other voice SDKs.
  public let maximumSpeakerCount: Int

  /// Creates settings from their parts.
  ///
  /// - Throws: `VolumeIndicationError` for a value outside its range.
  public init(
    intervalMilliseconds: Int, smooth: Int = 3, reportsVoiceActivity: Bool = false, maximumSpeakerCount: Int = 3
  ) throws(VolumeIndicationError) {
    guard intervalMilliseconds >= Self.shortestInterval else { throw .interval(intervalMilliseconds) }
    guard Self.smoothRange.contains(smooth) else { throw .smooth(smooth) }
    guard maximumSpeakerCount > 0 else { throw .speakerCount(maximumSpeakerCount) }
    self.intervalMilliseconds = intervalMilliseconds
    self.smooth = smooth
    self.reportsVoiceActivity = reportsVoiceActivity
    self.maximumSpeakerCount = maximumSpeakerCount
  }

  /// Time in which a reported volume covers 63 % of a change, in milliseconds: 50 ms for each step below 10.
  ///
  /// With the advised 3 it is 350 ms, about as fast as the needle of a VU meter (300 ms).
  public var timeConstantMilliseconds: Int { 50 * (Self.smoothRange.upperBound - smooth) }
}

/// Error in the settings of the volume indication.
public enum VolumeIndicationError: Error, Hashable, Sendable, CustomStringConvertible {
  /// An interval, in milliseconds, that is shorter than a frame.
  case interval(Int)
  /// A value of `smooth` outside `VolumeIndicationSettings.smoothRange`.
  case smooth(Int)
  /// A largest number of users that is not positive.
  case speakerCount(Int)

  public var description: String {
    switch self {
    case .interval(let interval):
      "an interval of \(interval) ms is shorter than a frame; use \(VolumeIndicationSettings.shortestInterval) ms or "
        + "more, better over 200"
    case .smooth(let smooth): "smooth is 0 to 10, and cannot be \(smooth); 3 is advised"
    case .speakerCount(let count): "a report of at most \(count) users is empty; use 1 or more, or .max for all"
    }
  }
}
