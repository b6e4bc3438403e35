import Platform

/// Shows the progress of a job: its speed as a multiple of real time, and the time that is left.
///
/// A bar is drawn at most 10 times a second, a plain line is written at most every 10 s.
///
/// Thread: any but the audio thread.
package final class Progress: Sendable {
  /// Shortest time between two bars; `plainInterval` is that between two plain lines.
  package static let barInterval = Duration.milliseconds(100)
  package static let plainInterval = Duration.seconds(10)
  private static let barWidth = 24

  private struct State {
    var processed = Duration.zero
    var byJob: [String: Duration] = [:]
    var lastShown: Duration?
    var isFinished = false
  }

  private let mode: ProgressMode
  private let total: Duration?
  private let errors: ErrorStream
  private let now: @Sendable () -> Duration
  private let columnCount: @Sendable () -> Int
  private let start: Duration
  private let state = Guarded(State())

  /// Creates the progress of a command, with a resolved mode.
  ///
  /// `total` is the length of all inputs, nil if one is a stream; `now` is monotonic.
  package init(
    mode: ProgressMode, total: Duration?, errors: ErrorStream, now: @escaping @Sendable () -> Duration,
    columnCount: @escaping @Sendable () -> Int = { Console.columnCount(of: 2) }
  ) {
    precondition(mode != .auto, "the mode must be resolved")
    self.mode = mode
    self.total = total
    self.errors = errors
    self.now = now
    self.columnCount = columnCount
    start = now()
  }

  /// Adds processed audio of one of several jobs.
  package func advance(by audio: Duration) {
    guard mode != .none else { return }
    state.withLock { state in
      state.processed += audio
      let moment = now()
      let interval = mode == .bar ? Self.barInterval : Self.plainInterval
      // The first plain line comes after an interval, too: a short job prints none.
      guard moment - (state.lastShown ?? (mode == .bar ? start - interval : start)) >= interval else {
        return
      }
      state.lastShown = moment
      show(state.processed, at: moment)
    }
  }

  /// Sets the duration of the processed audio of a job.
  package func set(_ seconds: Double, of job: String) {
    let audio = Duration.seconds(seconds)
    let more = state.withLock { state in
      let known = state.byJob.updateValue(audio, forKey: job) ?? .zero
      return audio - known
    }
    advance(by: more)
  }

  /// Shows the end: the final bar, with the cursor below it. A job that never showed anything stays silent.
  package func finish() {
    state.withLock { state in
      guard !state.isFinished else { return }
      state.isFinished = true
      guard state.lastShown != nil else { return }
      show(state.processed, at: now())
      if mode == .bar { errors.keepStatus() }
    }
  }

  private func show(_ processed: Duration, at moment: Duration) {
    let elapsed = moment - start
    let speed = elapsed > .zero ? processed / elapsed : 0
    let speedText = elapsed > .zero ? "\(oneDecimal(speed))x real time" : "starting"
    guard let total, total > .zero else {
      return write("\(clockText(processed)) done, \(speedText)", bar: nil)
    }
    let fraction = min(1, processed / total)
    let rest =
      speed > 0 ? ", ETA \(clockText(.seconds((max(.zero, total - processed) / .seconds(1)) / speed)))" : ""
    write("\(Int(fraction * 100)) %, \(speedText)\(rest)", bar: fraction)
  }

  private func write(_ text: String, bar fraction: Double?) {
    guard mode == .bar else { return errors.writeLine("audiopipe: \(text)") }
    var line = text
    if let fraction {
      let filled = Int(fraction * Double(Self.barWidth))
      line =
        "[" + String(repeating: "#", count: filled) + String(repeating: "-", count: Self.barWidth - filled)
        + "] " + text
      if line.count >= columnCount() { line = text }
    }
    // One column stays free: a terminal that is full to its edge would wrap, and the bar could not be redrawn.
    errors.showStatus(String(line.prefix(max(1, columnCount() - 1))))
  }

  /// Returns `1:02:03` or `2:03`, rounded to seconds.
  private func clockText(_ duration: Duration) -> String {
    let seconds = Int((duration / .seconds(1)).rounded())
    func padded(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
    let minutes = seconds / 60
    return minutes < 60
      ? "\(minutes):\(padded(seconds % 60))"
      : "\(minutes / 60):\(padded(minutes % 60)):\(padded(seconds % 60))"
  }

  private func oneDecimal(_ value: Double) -> String {
    let tenths = Int(min(value, 1e9) * 10 + 0.5)
    return "\(tenths / 10).\(tenths % 10)"
  }
}
