/// What a receiver said of itself when an interval of the statistics ended.
struct PeriodicReport: BitwiseCopyable {
  /// The ticks that were over then.
  let tickCount: Int
  let report: JitterBufferSnapshot

  @_noLocks
  init(tickCount: Int, report: JitterBufferSnapshot) {
    self.tickCount = tickCount
    self.report = report
  }
}
