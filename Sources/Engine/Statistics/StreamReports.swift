import MediaStreams
import Platform

/// Values that the reports of a pipeline's streams keep from one to the next.
///
/// Thread: control, under the pipeline's lock. Time is ticks.
struct StreamReports {
  /// End of the ticks that have been processed.
  var tick = 0
  /// Tick at which the next report is due.
  var nextReport = StatisticsInterval.ticks
  /// Tick at which the interval of the next report began: with the last one, or with the first stream.
  var intervalStart = 0
  /// Tick at which the call began.
  var callStart = 0
  /// Payload bytes sent so far.
  var sentBytes = 0
  var receivedBytes = 0
  /// Value of `sentBytes` at the last report.
  var reportedSentBytes = 0
  var reportedReceivedBytes = 0
  /// Meter of the processors; nil if events must not depend on the machine.
  var processorMeter: ProcessorMeter?

  /// Skips time without a stream: the next interval begins with the next stream.
  mutating func skip(to tick: Int) {
    nextReport = StatisticsInterval.end(afterTicks: tick)
    intervalStart = tick
    (reportedSentBytes, reportedReceivedBytes) = (sentBytes, receivedBytes)
  }

  /// Returns the milliseconds of the call when this number of ticks are over.
  func elapsedMilliseconds(atTick tick: Int) -> Int { max(0, tick - callStart) * 10 }

  /// Returns the bitrate of bytes in a number of ticks, in kbit/s, which are bit/ms.
  static func kilobitsPerSecond(_ bytes: Int, ticks: Int) -> Double {
    ticks > 0 ? Double(8 * bytes) / Double(10 * ticks) : 0
  }
}
