import RTP

/// Calendar of a relay: its time at a beginning and the monotonic time since.
struct RelayClock {
  private var unixMilliseconds: Int64
  private var startNanoseconds: Int
  /// Calendar of sender reports at a time: it has no steps, or the sounds that receivers align by it would jump.
  private let reports: (unixMilliseconds: Int64, startNanoseconds: Int)

  init(unixMilliseconds: Int64, nowNanoseconds: Int) {
    self.unixMilliseconds = unixMilliseconds
    startNanoseconds = nowNanoseconds
    reports = (unixMilliseconds, nowNanoseconds)
  }

  /// Takes a step.
  mutating func set(unixMilliseconds: Int64, nowNanoseconds: Int) {
    self.unixMilliseconds = unixMilliseconds
    startNanoseconds = nowNanoseconds
  }

  /// Milliseconds since 1970.
  func milliseconds(_ nowNanoseconds: Int) -> Int64 {
    unixMilliseconds &+ Int64((nowNanoseconds &- startNanoseconds) / 1_000_000)
  }

  /// Seconds since 1970, as tokens count them.
  func seconds(_ nowNanoseconds: Int) -> Int64 { milliseconds(nowNanoseconds) / 1_000 }

  /// Monotonic time at which a number of seconds since 1970 is reached; `Int.max / 2` for the far future.
  func nanoseconds(atSeconds seconds: Int64) -> Int {
    let (span, overflow) = (seconds &* 1_000 &- unixMilliseconds).multipliedReportingOverflow(by: 1_000_000)
    guard !overflow, span < Int64(Int.max / 4) else { return .max / 2 }
    return startNanoseconds &+ Int(span)
  }

  /// Time for sender reports.
  func ntp(_ nowNanoseconds: Int) -> NTPTimestamp {
    let epoch = NTPTimestamp.unixEpochSeconds &* 1_000_000_000
    // Beyond the year 2100 the calendar is that of a faulty caller.
    let unix = Int(min(max(0, reports.unixMilliseconds), 4_102_444_800_000)) &* 1_000_000
    return NTPTimestamp(nanoseconds: max(0, epoch &+ unix &+ nowNanoseconds &- reports.startNanoseconds))
  }
}
