import Glibc

/// The machine's monotonic clock.
public final class SystemClock: EngineClock {
  /// Creates a clock with the system's origin.
  public init() {}

  public var nowNanoseconds: Int {
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    return now.tv_sec * 1_000_000_000 + now.tv_nsec
  }

  public var utcNow: UTCTime? { .now }

  public func wait(untilNanoseconds deadlineNanoseconds: Int) {
    var deadline = timespec(
      tv_sec: deadlineNanoseconds / 1_000_000_000, tv_nsec: deadlineNanoseconds % 1_000_000_000)
    // An absolute deadline: a signal that interrupts the wait does not lengthen it.
    while clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &deadline, nil) == EINTR {}
  }
}
