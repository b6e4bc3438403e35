import Platform
import Synchronization

/// Limits the progress of a job to ten reports a second.
final class ProgressPace: Sendable {
  private static let interval = 100_000_000
  private let clock = SystemClock()
  private let next = Atomic<Int>(Int.min)

  /// Returns whether the next report is due, which begins another interval.
  func isDue() -> Bool {
    let now = clock.nowNanoseconds
    guard now >= next.load(ordering: .relaxed) else { return false }
    next.store(now + Self.interval, ordering: .relaxed)
    return true
  }
}
