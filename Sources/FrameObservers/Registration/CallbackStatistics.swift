import AudioGraph
import Synchronization

/// Durations of an observer's calls at one position. Thread: one records, any reads.
final class CallbackStatistics: Sendable {
  /// Longest duration of a call that does not overrun its frame, in nanoseconds.
  private static let budgetNanoseconds = 10_000_000

  let durations = DurationHistogram()
  private let overruns = Atomic<Int>(0)

  /// Number of calls that took longer than 10 ms.
  var overrunCount: Int { overruns.load(ordering: .relaxed) }

  func record(nanoseconds: Int) {
    durations.record(nanoseconds: nanoseconds)
    if nanoseconds > Self.budgetNanoseconds { overruns.wrappingAdd(1, ordering: .relaxed) }
  }
}
