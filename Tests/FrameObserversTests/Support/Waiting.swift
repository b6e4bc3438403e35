import Glibc

/// The machine's monotonic time, in nanoseconds.
func monotonicNanoseconds() -> Int {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return time.tv_sec * 1_000_000_000 + time.tv_nsec
}

/// Gives the processor away until `condition` holds. Returns: false when it did not within 20 s.
func eventually(_ condition: () throws -> Bool) rethrows -> Bool {
  let deadline = monotonicNanoseconds() + 20_000_000_000
  while try !condition() {
    if monotonicNanoseconds() > deadline { return try condition() }
    sched_yield()
  }
  return true
}

/// Keeps the processor busy for so long.
func spin(milliseconds: Int) {
  let deadline = monotonicNanoseconds() + milliseconds * 1_000_000
  while monotonicNanoseconds() < deadline {}
}
