import Synchronization

/// Whether a feature has something to report.
///
/// Thread: any reads; changes under the pipeline's lock, but for `end`.
struct FeatureActivity: ~Copyable {
  /// Pairs with `isActive`, which is read without the lock.
  private let flag = Atomic<Bool>(false)
  private let all: ActivityCount

  init(countedIn all: ActivityCount) { self.all = all }

  var isActive: Bool { flag.load(ordering: .acquiring) }

  func set(_ isActive: Bool) {
    guard flag.exchange(isActive, ordering: .acquiringAndReleasing) != isActive else { return }
    all.add(isActive ? 1 : -1)
  }

  /// Ends the activity. Returns: whether there was any.
  func end() -> Bool {
    guard flag.exchange(false, ordering: .acquiringAndReleasing) else { return false }
    all.add(-1)
    return true
  }
}
