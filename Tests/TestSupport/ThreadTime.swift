import Glibc

/// Processor time of this thread that a body takes, in nanoseconds.
public func threadNanoseconds(of body: () throws -> Void) rethrows -> Int {
  let begin = threadNanoseconds()
  try body()
  return threadNanoseconds() - begin
}

private func threadNanoseconds() -> Int {
  var time = timespec()
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return time.tv_sec * 1_000_000_000 + time.tv_nsec
}

/// Text of so many bytes, to which Swift's String takes quadratic time when it compares: marks that normalisation has
/// to put into another order.
public func disorderedMarks(byteCount: Int) -> String {
  let count = byteCount / 4
  return String(repeating: "\u{344}", count: count) + String(repeating: "\u{323}", count: count)
}
