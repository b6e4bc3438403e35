/// Limit of a rate that allows bursts: the generic cell rate algorithm.
///
/// Cost: one comparison and one sum. Source: ITU-T I.371, annex A.
package struct RateLimit: Sendable {
  private let intervalNanoseconds: Int64
  private let toleranceNanoseconds: Int64
  private var nextNanoseconds = Int64.min

  /// Creates a limit that has seen nothing yet. Rates and bursts below 1 count as 1.
  package init(perSecond: Int, burst: Int) {
    intervalNanoseconds = 1_000_000_000 / Int64(clamping: max(1, min(perSecond, 1_000_000_000)))
    toleranceNanoseconds = intervalNanoseconds * Int64(clamping: max(0, min(burst, 1_000_000) - 1))
  }

  /// Creates a limit of which a part is available at `now`; the rest of the burst comes with time.
  package init(perSecond: Int, burst: Int, available: Int, at now: Int64) {
    self.init(perSecond: perSecond, burst: burst)
    nextNanoseconds = now + toleranceNanoseconds - intervalNanoseconds * Int64(max(0, available) - 1)
  }

  /// Returns whether one more is within the limit at `now`, and counts it if so.
  package mutating func allows(at now: Int64) -> Bool {
    let next = max(nextNanoseconds, now)
    guard next - now <= toleranceNanoseconds else { return false }
    nextNanoseconds = next + intervalNanoseconds
    return true
  }

  /// Earliest time at which one more is within the limit.
  package var nextAllowedNanoseconds: Int64 { max(nextNanoseconds, .min + toleranceNanoseconds) - toleranceNanoseconds }

  /// Whether the limit is as if it had seen nothing.
  package func isIdle(at now: Int64) -> Bool { nextNanoseconds <= now }
}
