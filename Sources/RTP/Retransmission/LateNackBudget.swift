/// How many requests may be made whose answers come too late as things are.
///
/// Only such answers can say that a buffer would gain by waiting for them; where it does not wait for them after so
/// many, more would be for nothing. 32 at first, and one more every 5 s, since a network may change. Real-time:
/// wait-free.
struct LateNackBudget: BitwiseCopyable {
  private static var capacity: Int { @_noLocks get { 32 } }
  private static var intervalNanoseconds: Int { @_noLocks get { 5_000_000_000 } }

  /// Up to when the time that has passed is used up.
  private var usedUntilNanoseconds = Int.min / 2

  @_noLocks
  init() {}

  /// Takes one of the trials. Returns: false where there is none.
  @_noLocks
  mutating func take(nowNanoseconds now: Int) -> Bool {
    let oldest = now &- LateNackBudget.capacity &* LateNackBudget.intervalNanoseconds
    if usedUntilNanoseconds < oldest { usedUntilNanoseconds = oldest }
    guard usedUntilNanoseconds &+ LateNackBudget.intervalNanoseconds <= now else { return false }
    usedUntilNanoseconds = usedUntilNanoseconds &+ LateNackBudget.intervalNanoseconds
    return true
  }
}
