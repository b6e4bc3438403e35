public import FrameObservers

/// The frames and samples that a read-only observer saw at one position.
public struct PositionCount: Sendable {
  /// Origin of the frames.
  public let source: FrameOrigin
  /// Number of frames, including those that drain the delay.
  public let calls: Int
  /// Samples per channel that belong to the stream: those at positions from 0 to its end.
  public let samplesPerChannel: Int
}
