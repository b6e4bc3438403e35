import MediaStreams

/// What the reports of a pipeline's streams remember from one to the next.
///
/// Thread: control, under the pipeline's lock. Time is ticks.
struct StreamReports {
  /// Up to here everything has been looked at.
  var tick = 0
  /// When the next report is due.
  var nextReport = StatisticsInterval.ticks
  /// When the interval of the next report began: with the last one, or with the first stream.
  var intervalStart = 0
  /// When the call began.
  var callStart = 0
  /// Bytes of payloads so far.
  var sentBytes = 0
  var receivedBytes = 0
  /// The same as of the last report.
  var reportedSentBytes = 0
  var reportedReceivedBytes = 0
  /// Nil where events must not depend on the machine.
  var processorMeter: ProcessorMeter?

  /// Lets time pass in which there is no stream: the next interval begins with the next one.
  mutating func skip(to tick: Int) {
    nextReport = StatisticsInterval.end(afterTicks: tick)
    intervalStart = tick
    (reportedSentBytes, reportedReceivedBytes) = (sentBytes, receivedBytes)
  }

  /// Milliseconds of the call when so many ticks are over.
  func elapsedMilliseconds(atTick tick: Int) -> Int { max(0, tick - callStart) * 10 }

  /// Bytes in so many ticks as kbit/s, which are bit/ms.
  static func kilobitsPerSecond(_ bytes: Int, ticks: Int) -> Double {
    ticks > 0 ? Double(8 * bytes) / Double(10 * ticks) : 0
  }
}
