import AudioGraph
import Synchronization

/// How long an observer's calls at one position took. Thread: one records, any reads.
final class CallbackStatistics: Sendable {
  /// A call longer than this has overrun its frame.
  private static let budgetNanoseconds = 10_000_000

  let durations = DurationHistogram()
  private let overruns = Atomic<Int>(0)

  /// Calls that took longer than 10 ms.
  var overrunCount: Int { overruns.load(ordering: .relaxed) }

  func record(nanoseconds: Int) {
    durations.record(nanoseconds: nanoseconds)
    if nanoseconds > Self.budgetNanoseconds { overruns.wrappingAdd(1, ordering: .relaxed) }
  }
}
