package import Platform
import Synchronization

/// Virtual time that continues up to a limit, and stands there until a test raises it.
package final class GatedClock: EngineClock {
  private let now = Atomic<Int>(0)
  private let limit = Atomic<Int>(-1)
  private let raised = Doorbell()

  private let utcOfOrigin: UTCTime?

  /// - Parameter utcOfOrigin: The clock's origin in UTC; nil: the clock shows no such time.
  package init(utcOfOrigin: UTCTime? = nil) { self.utcOfOrigin = utcOfOrigin }

  package var utcNow: UTCTime? {
    utcOfOrigin?.advanced(byNanoseconds: nowNanoseconds)
  }

  package var nowNanoseconds: Int { now.load(ordering: .acquiring) }

  package func wait(untilNanoseconds deadline: Int) {
    // A pipeline waits on one thread: each ring is for it.
    while limit.load(ordering: .acquiring) < deadline { raised.wait(atMostMilliseconds: 1_000) }
    _ = now.max(deadline, ordering: .acquiringAndReleasing)
  }

  package func open(untilNanoseconds time: Int) {
    limit.store(time, ordering: .releasing)
    raised.ring()
  }
}
