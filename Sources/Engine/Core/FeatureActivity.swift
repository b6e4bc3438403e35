import Synchronization

/// Whether a feature has something to report.
///
/// Thread: any reads; changes under the pipeline's lock, but for `end`.
struct FeatureActivity: ~Copyable {
  /// Pairs with `isActive`, which is read without the lock.
  private let flag = Atomic<Bool>(false)

  var isActive: Bool { flag.load(ordering: .acquiring) }

  func set(_ isActive: Bool) { flag.store(isActive, ordering: .releasing) }

  /// Ends the activity. Returns: whether there was any.
  func end() -> Bool { flag.exchange(false, ordering: .acquiringAndReleasing) }
}
