/// What a receiver said of itself when an interval of the statistics ended.
struct PeriodicReport: BitwiseCopyable {
  /// The ticks that were over then.
  let tickCount: Int
  let report: ReceiverReport

  @_noLocks
  init(tickCount: Int, report: ReceiverReport) {
    self.tickCount = tickCount
    self.report = report
  }
}
