import Synchronization

/// Counts the active features of a pipeline, so that a tick looks at one number.
///
/// Thread: any.
final class ActivityCount: Sendable {
  /// Stored by features under the pipeline's lock, read by `isAny` without it.
  private let count = Atomic<Int>(0)

  /// Whether any feature is active.
  var isAny: Bool { count.load(ordering: .acquiring) > 0 }

  func add(_ change: Int) { count.wrappingAdd(change, ordering: .acquiringAndReleasing) }
}
