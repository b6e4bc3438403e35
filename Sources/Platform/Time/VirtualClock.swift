import Synchronization

/// A clock that moves only on calls: a wait moves it to the deadline at once.
///
/// Twenty minutes pass in milliseconds, and the same calls see the same times in every run.
public final class VirtualClock: EngineClock {
  private let now: Atomic<Int>

  /// Creates a clock that shows `startNanoseconds`.
  public init(startNanoseconds: Int = 0) { now = Atomic(startNanoseconds) }

  public var nowNanoseconds: Int { now.load(ordering: .acquiring) }

  public func wait(untilNanoseconds deadlineNanoseconds: Int) {
    _ = now.max(deadlineNanoseconds, ordering: .acquiringAndReleasing)
  }

  /// Advances the clock.
  public func advance(byNanoseconds nanoseconds: Int) { now.wrappingAdd(nanoseconds, ordering: .acquiringAndReleasing) }
}
