/// One 10 ms step of a graph.
public struct Tick: BitwiseCopyable, Sendable {
  /// Number of the tick, counted from 0.
  public let index: Int
  /// Position of the tick's first sample in the graph's own time.
  public let samplePosition: Int
  /// Samples per channel of every frame in this tick.
  public let samplesPerChannel: Int
  /// Monotonic time at which the tick began, in nanoseconds of the engine's clock.
  public let timeNanoseconds: Int

  @_noLocks
  init(index: Int, schedule: FrameSchedule, timeNanoseconds: Int) {
    self.index = index
    samplePosition = schedule.position(ofFrame: index)
    samplesPerChannel = schedule.samplesPerChannel(ofFrame: index)
    self.timeNanoseconds = timeNanoseconds
  }
}
