import Synchronization

/// Whether a feature has something to report.
///
/// Thread: any reads; changes happen under the pipeline's lock, except `end`.
struct FeatureActivity: ~Copyable {
  /// Value of `isActive`, which is read without the lock.
  private let flag = Atomic<Bool>(false)

  var isActive: Bool { flag.load(ordering: .acquiring) }

  func set(_ isActive: Bool) { flag.store(isActive, ordering: .releasing) }

  /// Ends the activity.
  ///
  /// - Returns: Whether there was any.
  func end() -> Bool { flag.exchange(false, ordering: .acquiringAndReleasing) }
}
