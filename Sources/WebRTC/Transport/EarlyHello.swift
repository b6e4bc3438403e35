import Platform

/// The ClientHello that follows the first check, until the peer answers.
///
/// A datagram may overtake another one. The peer drops a ClientHello that comes before the check, and DTLS would send
/// it again after a second only (RFC 6347). So it is sent again soon after the check has passed.
struct EarlyHello {
  /// The datagram, which holds the whole message; nil before it.
  private var datagram: [UInt8]?
  private var isAnswered = false
  /// Time to send it again; nil if that is not due.
  private(set) var dueNanoseconds: Int?

  /// Time for the answer to come behind that of the check, in nanoseconds.
  private static let waitNanoseconds = 30_000_000

  /// Notes a datagram that was sent.
  mutating func note(_ datagram: [UInt8]) {
    if !isAnswered { self.datagram = datagram }
  }

  /// Notes that the check has passed.
  mutating func noteCheck(nowNanoseconds now: Int) {
    if !isAnswered, datagram != nil { dueNanoseconds = now + Self.waitNanoseconds }
  }

  /// Notes a datagram of the peer.
  mutating func noteAnswer() { self = EarlyHello(isAnswered: true) }

  /// Returns the datagram to send again, once; nil if that is not due.
  mutating func take(nowNanoseconds now: Int) -> [UInt8]? {
    guard let due = dueNanoseconds, now >= due else { return nil }
    ReachPoints.note(.helloRepeated)
    defer { noteAnswer() }
    return datagram
  }

  init() {}

  private init(isAnswered: Bool) { self.isAnswered = isAnswered }
}
