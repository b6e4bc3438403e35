import CommandLineKit
import Glibc

/// Resolution of the monotonic clock, and lateness of a 10 ms timer at ordinary priority.
struct ClockProbe: Hashable, Sendable {
  /// A clock and a wait, with times in nanoseconds.
  struct Source: Sendable {
    let resolution: @Sendable () -> Int
    let now: @Sendable () -> Int
    let sleepUntil: @Sendable (Int) -> Void

    /// The clock CLOCK_MONOTONIC.
    static let system = Source(
      resolution: {
        var time = timespec()
        clock_getres(CLOCK_MONOTONIC, &time)
        return time.tv_sec * 1_000_000_000 + time.tv_nsec
      },
      now: {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return time.tv_sec * 1_000_000_000 + time.tv_nsec
      },
      sleepUntil: { moment in
        var time = timespec(tv_sec: moment / 1_000_000_000, tv_nsec: moment % 1_000_000_000)
        while clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, nil) == EINTR,
          InterruptHandler.pending == nil
        {}
      })
  }

  static let intervalNanoseconds = 10_000_000
  /// Number of ticks: enough for a median and a glance at the worst, in a fifth of a second.
  static let tickCount = 20

  let resolutionNanoseconds: Int
  /// Median lateness of the wake-ups; `maximumLatenessNanoseconds` is the greatest.
  let medianLatenessNanoseconds: Int
  let maximumLatenessNanoseconds: Int

  init(source: Source = .system) {
    resolutionNanoseconds = source.resolution()
    let start = source.now()
    let lateness = (1...Self.tickCount).map { tick in
      let moment = start + tick * Self.intervalNanoseconds
      source.sleepUntil(moment)
      return max(0, source.now() - moment)
    }.sorted()
    medianLatenessNanoseconds = lateness[(Self.tickCount - 1) / 2]
    maximumLatenessNanoseconds = lateness[Self.tickCount - 1]
  }

  /// Advice if a tick would often come too late.
  var advice: String? {
    if resolutionNanoseconds > 1_000_000 {
      return "The clock is coarser than 1 ms; live audio needs a kernel with high-resolution timers."
    }
    guard maximumLatenessNanoseconds > Self.intervalNanoseconds / 2 else { return nil }
    return
      "A 10 ms timer was more than 5 ms late; stop other work on this machine, or use real-time priority, before "
      + "live audio. Files are not affected."
  }
}
