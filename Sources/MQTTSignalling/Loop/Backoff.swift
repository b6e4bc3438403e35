/// Pauses between attempts to connect: 0.2 s, doubled to 5 s. Each is shortened by up to a half at random, so that the
/// clients of a restarted broker come one after the other.
struct Backoff {
  private static let first = 200_000_000
  private static let longest = 5_000_000_000
  /// Time after which a connection counts as a good one.
  private static let trial = 5_000_000_000

  private var pause = first

  /// Returns the pause before the next attempt, in nanoseconds.
  ///
  /// - Parameter life: Duration of the lost connection; 0 if there was none.
  mutating func next(afterLife life: Int) -> Int {
    if life >= Self.trial { pause = Self.first }
    defer { pause = min(2 * pause, Self.longest) }
    return Int.random(in: pause / 2...pause)
  }
}
