/// Messages to users that a session may still send: the limit of a second at once, and as many in each second.
struct MessageAllowance {
  private var nextNanoseconds = Int.min

  /// Counts a message.
  ///
  /// - Returns: Whether it is within the limit.
  mutating func allows(limit: Int, nowNanoseconds now: Int) -> Bool {
    let interval = Self.interval(limit)
    let next = max(nextNanoseconds, now)
    guard next &- now <= 1_000_000_000 &- interval else { return false }
    nextNanoseconds = next &+ interval
    return true
  }

  /// Counts further copies of an allowed message: each costs the relay as much as a message. They may exceed the limit,
  /// which makes the next message wait.
  mutating func count(_ copies: Int, limit: Int) { nextNanoseconds &+= copies &* Self.interval(limit) }

  private static func interval(_ limit: Int) -> Int { 1_000_000_000 / max(1, min(limit, 1_000_000_000)) }
}
