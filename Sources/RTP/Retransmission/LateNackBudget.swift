/// Number of requests that may be made although their answers come too late at present.
///
/// Only such answers show that a buffer would gain by waiting for them; if it does not wait after so many, more are
/// useless. The budget is 32 at first, with one more every 5 s, since a network may change. Real-time: wait-free.
struct LateNackBudget: BitwiseCopyable {
  private static var capacity: Int { @_noLocks get { 32 } }
  private static var intervalNanoseconds: Int { @_noLocks get { 5_000_000_000 } }

  /// Time up to which the budget is used.
  private var usedUntilNanoseconds = Int.min / 2

  @_noLocks
  init() {}

  /// Takes one request from the budget.
  ///
  /// - Returns: false if the budget is empty.
  @_noLocks
  mutating func take(nowNanoseconds now: Int) -> Bool {
    let oldest = now &- LateNackBudget.capacity &* LateNackBudget.intervalNanoseconds
    if usedUntilNanoseconds < oldest { usedUntilNanoseconds = oldest }
    guard usedUntilNanoseconds &+ LateNackBudget.intervalNanoseconds <= now else { return false }
    usedUntilNanoseconds = usedUntilNanoseconds &+ LateNackBudget.intervalNanoseconds
    return true
  }
}
