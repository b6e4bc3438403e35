import AudioGraph
import Glibc
import Synchronization

/// The log of a pipeline: lines of text, appended to a file.
///
///     2026-11-21T17:01:02.345Z warn  recordingFailed ...
///
/// Thread: any but the audio thread, which never uses it. Its time is the calendar's and influences nothing.
final class EngineLog: Sendable {
  private let descriptor = Guarded<Int32>(-1)
  /// Levels that come into the log. Read without the lock, so that other lines cost nothing.
  private let filter = Atomic<Int>(LogFilter.info.rawValue)
  private let isOpen = Atomic<Bool>(false)
  private let now: @Sendable () -> timespec

  init(
    now: @escaping @Sendable () -> timespec = {
      var time = timespec()
      clock_gettime(CLOCK_REALTIME, &time)
      return time
    }
  ) {
    self.now = now
  }

  deinit { setFile(-1) }

  /// Appends to the file at `path` from now on; nil ends that.
  ///
  /// - Throws: `.invalidArgument` if the file cannot be opened; the log then stays as it was.
  func setFile(path: String?) throws(EngineError) {
    guard let path else { return setFile(-1) }
    let opened = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, 0o644)
    guard opened >= 0 else {
      let reason = errno == ENOENT ? "its folder does not exist; make it first" : String(cString: strerror(errno))
      throw EngineError(.invalidArgument, "\(path) cannot be the log: \(reason)")
    }
    setFile(opened)
  }

  func setFilter(_ filter: LogFilter) { self.filter.store(filter.rawValue, ordering: .relaxed) }

  /// Adds a line if the log is open and contains the level; otherwise `message` is not evaluated.
  func write(_ level: LogLevel, _ message: @autoclosure () -> String) {
    guard isOpen.load(ordering: .relaxed), filter.load(ordering: .relaxed) & level.rawValue != 0 else { return }
    let text = message().replacing("\n", with: " ")
    let name = level.name + String(repeating: " ", count: 8 - level.name.utf8.count)
    var line = Array("\(time()) \(name) \(text)\n".utf8)
    descriptor.withLock { descriptor in
      guard descriptor >= 0 else { return }
      // One call, so that lines of several pipelines in one file stay whole. A full disk costs the line.
      _ = Glibc.write(descriptor, &line, line.count)
    }
  }

  private func setFile(_ opened: Int32) {
    descriptor.withLock { descriptor in
      if descriptor >= 0 { close(descriptor) }
      descriptor = opened
      isOpen.store(opened >= 0, ordering: .relaxed)
    }
  }

  private func time() -> String {
    let time = now()
    var seconds = time.tv_sec
    var parts = tm()
    gmtime_r(&seconds, &parts)
    func digits(_ value: Int, _ count: Int) -> String {
      let text = String(value)
      return String(repeating: "0", count: max(0, count - text.utf8.count)) + text
    }
    let date =
      "\(digits(Int(parts.tm_year) + 1_900, 4))-\(digits(Int(parts.tm_mon) + 1, 2))-\(digits(Int(parts.tm_mday), 2))"
    let clock = "\(digits(Int(parts.tm_hour), 2)):\(digits(Int(parts.tm_min), 2)):\(digits(Int(parts.tm_sec), 2))"
    return "\(date)T\(clock).\(digits(time.tv_nsec / 1_000_000, 3))Z"
  }
}
