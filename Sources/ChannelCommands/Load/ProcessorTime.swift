import CommandLineKit
import Glibc

/// Processor times so far, in nanoseconds.
struct ProcessorTime {
  /// Processor time of this process.
  let process: Int
  /// Processor time of this thread.
  let thread: Int

  /// Reads the times.
  init() {
    process = Self.nanoseconds(CLOCK_PROCESS_CPUTIME_ID)
    thread = Self.nanoseconds(CLOCK_THREAD_CPUTIME_ID)
  }

  /// Returns the processor time of a process; nil if it does not exist. Source: proc_pid_stat(5).
  static func nanoseconds(ofProcess pid: Int) -> Int? {
    guard case .success(let bytes) = readBytes("/proc/\(pid)/stat", limit: 4_096) else { return nil }
    // The name in brackets may contain spaces: utime and stime are the 12th and 13th fields behind it.
    let fields = String(decoding: bytes, as: UTF8.self).split(separator: ")").last?.split(separator: " ") ?? []
    guard fields.count > 12, let user = Int(fields[11]), let system = Int(fields[12]) else { return nil }
    return (user + system) * (1_000_000_000 / max(1, sysconf(Int32(_SC_CLK_TCK))))
  }

  private static func nanoseconds(_ clock: clockid_t) -> Int {
    var time = timespec()
    clock_gettime(clock, &time)
    return time.tv_sec * 1_000_000_000 + time.tv_nsec
  }
}
