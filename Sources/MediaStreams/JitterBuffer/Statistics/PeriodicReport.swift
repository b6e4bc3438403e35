/// Report of a receiver at the end of an interval of the statistics.
struct PeriodicReport: BitwiseCopyable {
  /// Ticks that were over at the end of the interval.
  let tickCount: Int
  let report: JitterBufferSnapshot

  @_noLocks
  init(tickCount: Int, report: JitterBufferSnapshot) {
    self.tickCount = tickCount
    self.report = report
  }
}
