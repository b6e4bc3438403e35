/// Evidence that a destination has taken nothing of a stream, as far as its host says so.
///
/// A near host says so of every packet. Others say so once a second (RFC 4443, section 2.4 f): then nobody received a
/// stream of some length either, if its refusals never pause for longer. A receiver that comes late, goes, or is away
/// for a while leaves a pause.
struct UnreachableDestination {
  /// Datagrams that came back.
  private(set) var count = 0
  private var sentCount = 0
  private var firstSent: Int?
  private var lastSent = 0
  private var lastRefusal: Int?
  private var longestPause = 0

  private static let usualPause = 1_500_000_000
  private static let shortestStream = 5_000_000_000

  mutating func sent(nowNanoseconds now: Int) {
    sentCount += 1
    firstSent = firstSent ?? now
    lastSent = now
  }

  mutating func refused(nowNanoseconds now: Int) {
    count += 1
    longestPause = max(longestPause, now - (lastRefusal ?? firstSent ?? now))
    lastRefusal = now
  }

  var hasRefusedAll: Bool {
    guard let firstSent, let lastRefusal else { return false }
    if count >= sentCount { return true }
    return lastSent - firstSent >= Self.shortestStream
      && max(longestPause, lastSent - lastRefusal) <= Self.usualPause
  }
}
