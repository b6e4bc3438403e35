/// What a receiver says of itself after a frame.
public struct ReceiverReport: Hashable, Sendable, BitwiseCopyable {
  /// What it is doing.
  public var stage: ReceiverStage
  /// What it has counted.
  public var statistics: ReceiverStatistics

  @_noLocks
  init(stage: ReceiverStage, statistics: ReceiverStatistics) {
    self.stage = stage
    self.statistics = statistics
  }
}
