/// Times of connectivity checks, in nanoseconds.
enum ICETimes {
  /// Time between two new checks, Ta: 50 ms. Source: RFC 8445, section 14.2.
  static let pace = 50_000_000
  /// Shortest time before the first retransmission: 500 ms. Source: RFC 8445, section 14.3.
  static let shortestRetransmission = 500_000_000
  /// Transmissions of a request, Rc. Source: RFC 8489, section 6.2.1.
  static let transmissionCount = 7
  /// Multiple of the first interval after the last transmission, Rm. Source: RFC 8489, section 6.2.1.
  static let lastIntervalFactor = 16
  /// Time before a connection may fail: 39.5 s. A peer-reflexive candidate may come until then. Source: RFC 8863,
  /// section 4.
  static let patience = 39_500_000_000
  /// Mean time between two consent checks: 5 s. Source: RFC 7675, section 5.1.
  static let consentInterval = 5_000_000_000
  /// Time without a response after which consent has expired: 30 s. Source: RFC 7675, section 5.1.
  static let consent = 30_000_000_000
  /// Time left of the consent from which checks are urgent: no response has come for 12 s.
  static let consentAtRisk = 18_000_000_000
  /// Time between two urgent checks. With a tenth of the packets lost each way, consent would otherwise expire once a
  /// day, although the path works. RFC 7675 has no such rule; 20 small packets are the price of a needless end.
  static let urgentConsentInterval = 1_000_000_000

  /// Returns the time to the next consent check: 4 s to 6 s, so that agents do not synchronize.
  ///
  /// Browsers check every 2.5 s, but RFC 7675 forbids less than 4 s.
  static func consentInterval(random: UInt64) -> Int { consentInterval / 5 * 4 + Int(random % 2_000_000_001) }
}
