public import Effects
public import FrameObservers

/// What a limiter has turned down so far.
public struct LimiterUse: Sendable {
  /// What comes out of it: RECORD of a user, EAR MONITORING, PLAYBACK or MIXED.
  public let source: FrameOrigin
  /// Frames of 10 ms in which its gain was below 1.
  public let frameCount: Int
  /// The smallest gain so far.
  public let smallestGain: Decibels

  init(_ limiter: LimiterNode, of source: FrameOrigin) {
    self.source = source
    frameCount = limiter.limitedFrameCount
    smallestGain = limiter.smallestGain
  }
}
