/// Timer of the retransmission of a flight: 1 s at first, doubled with each retransmission, up to 60 s.
///
/// It reads no clock; times are in nanoseconds.
///
/// Source: RFC 6347, section 4.2.4.1.
struct DTLSRetransmissionTimer {
  private static let first = 1_000_000_000
  private static let longest = 60_000_000_000
  private var interval = first
  /// Time of the next retransmission; nil if no flight waits for an answer.
  private(set) var deadline: Int?

  /// Starts or restarts the timer with the present interval.
  mutating func start(nowNanoseconds now: Int) { deadline = now &+ interval }

  /// Stops the timer: the answer has arrived. The next flight begins with the first interval.
  mutating func stop() { self = DTLSRetransmissionTimer() }

  /// Doubles the interval before a retransmission.
  mutating func back() { interval = min(2 * interval, Self.longest) }

  /// Returns whether the time has come.
  func isDue(nowNanoseconds now: Int) -> Bool { deadline.map { $0 <= now } ?? false }
}
