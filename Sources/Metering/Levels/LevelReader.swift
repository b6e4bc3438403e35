import AudioGraph

/// The levels that a `LevelMeterNode` gives, tick by tick.
///
/// Thread: one at a time, beside the audio thread.
public final class LevelReader: @unchecked Sendable {
  // SAFETY (@unchecked Sendable): the consumer is used by one thread at a time, which the owner sees to.
  private var levels: RingConsumer<FrameLevel>

  init(_ levels: consuming RingConsumer<FrameLevel>) { self.levels = levels }

  /// The level of one tick; ask for each tick in order, once it is over.
  ///
  /// Returns: nil where the meter was not in the plan then.
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
