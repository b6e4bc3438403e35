/// How volumes are reported.
public struct VolumeIndicationSettings: Hashable, Sendable {
  /// The shortest interval, in milliseconds: one frame.
  public static let shortestInterval = 10
  /// What `smooth` may be.
  public static let smoothRange = 0...10

  /// Milliseconds from report to report; more than 200 is advised. Frames are 10 ms: a report comes with the frame in
  /// which it falls due.
  public let intervalMilliseconds: Int
  /// 0 is slowest, 10 is no smoothing at all; 3 is advised. See `timeConstantMilliseconds`.
  public let smooth: Int
  /// Whether the local user's reports say if it speaks.
  public let reportsVoiceActivity: Bool

  /// Settings from their parts. Throws: `VolumeIndicationError`.
  public init(intervalMilliseconds: Int, smooth: Int = 3, reportsVoiceActivity: Bool = false)
    throws(VolumeIndicationError)
  {
    guard intervalMilliseconds >= Self.shortestInterval else { throw .interval(intervalMilliseconds) }
    guard Self.smoothRange.contains(smooth) else { throw .smooth(smooth) }
    self.intervalMilliseconds = intervalMilliseconds
    self.smooth = smooth
    self.reportsVoiceActivity = reportsVoiceActivity
  }

  /// After how long a reported volume has gone 63 % of the way to a new one: 50 ms for each step below 10.
  ///
  /// With the advised 3 it is 350 ms, about as quick as the needle of a VU meter (300 ms).
  public var timeConstantMilliseconds: Int { 50 * (Self.smoothRange.upperBound - smooth) }
}

/// What is wrong with settings of the volume indication.
public enum VolumeIndicationError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Shorter than a frame.
  case interval(Int)
  /// Outside `VolumeIndicationSettings.smoothRange`.
  case smooth(Int)

  public var description: String {
    switch self {
    case .interval(let interval):
      "an interval of \(interval) ms is shorter than a frame; use \(VolumeIndicationSettings.shortestInterval) ms or "
        + "more, better over 200"
    case .smooth(let smooth): "smooth is 0 to 10, and cannot be \(smooth); 3 is advised"
    }
  }
}
