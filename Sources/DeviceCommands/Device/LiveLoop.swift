import CommandLineKit
import Glibc
import Platform

/// The wait of a live command for its end, with a level meter and keys on a terminal.
struct LiveLoop {
  /// Interval of the redraws, and of the checks without a meter, in nanoseconds.
  private static let interval = 100_000_000
  private static let quietInterval = 40_000_000

  let console: Console
  let meter: PeakMeter
  /// Whether a meter is drawn.
  let showsMeter: Bool
  /// Seconds of sound so far.
  let seconds: () -> Double
  /// Words behind the level.
  let state: () -> String
  /// Called for the space bar.
  let onPause: () -> Void

  /// Waits until a signal comes, `q` is pressed, or the condition is true.
  func run(until isOver: () -> Bool) {
    let clock = SystemClock()
    let keys = KeyReader()
    var line = MeterLine()
    while InterruptHandler.pending == nil, !isOver() {
      while let key = keys?.next() {
        if key == " " { onPause() }
        if key == "q" { return finish() }
      }
      let level = meter.takeDecibels()
      if showsMeter {
        let words = keys == nil ? state() : "\(state())  space: pause, q: end"
        console.errors.showStatus(
          line.text(level: level, seconds: seconds(), state: words, width: Console.columnCount(of: 2)))
      }
      clock.wait(untilNanoseconds: clock.nowNanoseconds + (showsMeter ? Self.interval : Self.quietInterval))
    }
    finish()
  }

  private func finish() { if showsMeter { console.errors.keepStatus() } }
}
