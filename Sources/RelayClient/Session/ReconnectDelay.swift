/// Delays between attempts to join: random below a limit that doubles from 100 ms to 2 s (full jitter).
///
/// Clients of a relay that restarts thus return spread over time.
struct ReconnectDelay {
  private static let first = 100_000_000
  private static let longest = 2_000_000_000

  private var limit = ReconnectDelay.first

  /// Returns the delay before the next attempt, in nanoseconds.
  mutating func next(using random: inout some RandomNumberGenerator) -> Int {
    defer { limit = min(2 * limit, Self.longest) }
    return Int.random(in: 0...limit, using: &random)
  }

  /// Notes a success: the next delay is short again.
  mutating func reset() { limit = Self.first }
}
