/// Bytes of users' messages that a client may not have read yet.
///
/// The relay does not see how much of its output the network holds back. So a message counts until a slow client would
/// have read it.
struct UnreadMessages {
  /// Bytes that a slow client reads in a second.
  static let bytesPerSecond = 65_536
  private static let nanosecondsPerByte = 1_000_000_000 / bytesPerSecond
  /// Time at which a slow client has read everything.
  private var endNanoseconds = Int.min

  func byteCount(nowNanoseconds now: Int) -> Int {
    endNanoseconds > now ? (endNanoseconds &- now) / Self.nanosecondsPerByte : 0
  }

  mutating func add(_ byteCount: Int, nowNanoseconds now: Int) {
    endNanoseconds = max(endNanoseconds, now) &+ byteCount &* Self.nanosecondsPerByte
  }
}
