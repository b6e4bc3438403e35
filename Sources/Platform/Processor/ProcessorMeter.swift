import Glibc

/// Measures the use of the processors, from one call to the next.
///
/// Thread: control; it makes system calls.
package struct ProcessorMeter {
  /// Clock ticks of all processors since the system began.
  struct SystemTime: Hashable {
    let busy: Int
    let total: Int

    /// Parses the first line of `/proc/stat`: user, nice, system, idle, iowait, irq, softirq, steal. Source:
    /// proc_stat(5).
    init?(line: some StringProtocol) {
      let fields = line.split(separator: " ")
      guard fields.first == "cpu" else { return nil }
      // The time of guests is in user and nice already.
      let times = fields.dropFirst().prefix(8).compactMap { Int($0) }
      guard times.count == 8 else { return nil }
      total = times.reduce(0, &+)
      busy = total - times[3] - times[4]
    }
  }

  private var process: Int
  private var wall: Int
  private var system: SystemTime?
  private let processorCount: Int

  package init() {
    process = Self.processNanoseconds()
    wall = Self.wallNanoseconds()
    system = Self.systemTime()
    processorCount = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
  }

  /// Returns the use since the previous call.
  package mutating func measure() -> ProcessorUse {
    let (process, wall, system) = (Self.processNanoseconds(), Self.wallNanoseconds(), Self.systemTime())
    defer { (self.process, self.wall, self.system) = (process, wall, system) }
    let available = Double(max(1, wall - self.wall)) * Double(processorCount)
    return ProcessorUse(
      process: min(1, Double(process - self.process) / available),
      system: system.flatMap { now in
        self.system.flatMap { Self.share(from: $0, to: now) }
      })
  }

  /// Returns the share of time in which processors were busy; nil if no time has passed.
  static func share(from old: SystemTime, to new: SystemTime) -> Double? {
    let passed = new.total - old.total
    return passed > 0 ? min(1, max(0, Double(new.busy - old.busy) / Double(passed))) : nil
  }

  private static func processNanoseconds() -> Int { nanoseconds(CLOCK_PROCESS_CPUTIME_ID) }

  private static func wallNanoseconds() -> Int { nanoseconds(CLOCK_MONOTONIC) }

  private static func nanoseconds(_ clock: clockid_t) -> Int {
    var time = timespec()
    clock_gettime(clock, &time)
    return time.tv_sec * 1_000_000_000 + time.tv_nsec
  }

  private static func systemTime() -> SystemTime? {
    let file = open("/proc/stat", O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: 256)
    let count = read(file, &bytes, bytes.count)
    guard count > 0, let line = bytes[..<count].split(separator: UInt8(ascii: "\n")).first else { return nil }
    return SystemTime(line: String(decoding: line, as: UTF8.self))
  }
}
