import AudioGraph

/// The levels of a `LevelMeterNode`, tick by tick.
///
/// Thread: one at a time, beside the audio thread.
public final class LevelReader: @unchecked Sendable {
  // SAFETY (@unchecked Sendable): the consumer is used by one thread at a time, which the owner ensures.
  private var levels: RingConsumer<FrameLevel>

  init(_ levels: consuming RingConsumer<FrameLevel>) { self.levels = levels }

  /// Fetches the level of one tick. Call it for each tick in order, once the tick is over.
  ///
  /// - Returns: The level; nil if the meter was not in the plan at that tick.
  public func level(atTick tick: Int) -> FrameLevel? {
    while let next = levels.peek() {
      let level = next.pointee
      if level.tick > tick { return nil }
      levels.release(1)
      if level.tick == tick { return level }
    }
    return nil
  }
}
