public import Effects
public import FrameObservers

/// Attenuation by a limiter so far.
public struct LimiterUse: Sendable {
  /// Output of the limiter: RECORD of a user, EAR MONITORING, PLAYBACK or MIXED.
  public let source: FrameOrigin
  /// Number of 10 ms frames in which the gain was below 1.
  public let frameCount: Int
  /// The smallest gain so far.
  public let smallestGain: Decibels

  init(_ limiter: LimiterNode, of source: FrameOrigin) {
    self.source = source
    frameCount = limiter.limitedFrameCount
    smallestGain = limiter.smallestGain
  }
}
