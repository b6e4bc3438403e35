import Glibc

/// The machine's monotonic time, in nanoseconds.
func monotonicNanoseconds() -> Int {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return time.tv_sec * 1_000_000_000 + time.tv_nsec
}

/// Keeps the processor busy for so long.
func spin(milliseconds: Int) {
  let deadline = monotonicNanoseconds() + milliseconds * 1_000_000
  while monotonicNanoseconds() < deadline {}
}
