public import FrameObservers

/// The frames and samples that a read-only observer saw at one position.
public struct PositionCount: Sendable {
  /// Whose frames.
  public let source: FrameOrigin
  /// Frames, those that drain the delay among them.
  public let calls: Int
  /// Samples per channel that belong to the stream: those at positions 0 up to its end.
  public let samplesPerChannel: Int
}
