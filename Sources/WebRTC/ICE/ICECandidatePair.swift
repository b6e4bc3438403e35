internal import Platform

/// Candidate of the peer, and the state of the checks to it. The local candidate is the caller's socket.
struct ICECandidatePair {
  /// State of the checks.
  ///
  /// Source: RFC 8445, section 6.1.2.6. With one local candidate and one component no pair is frozen.
  enum State {
    case waiting
    case inProgress
    case succeeded
    case failed
  }

  /// The peer's address.
  let address: SocketAddress
  /// The peer's priority of its candidate.
  var remotePriority: UInt32
  var state = State.waiting
  /// Whether a controlling peer has nominated the pair.
  var isNominated = false
  /// Whether a check is due because of the peer's own one.
  var isTriggered = false

  init(_ address: SocketAddress, remotePriority: UInt32) {
    self.address = address
    self.remotePriority = remotePriority
  }

  /// Returns the pair's priority: first the lower one of both candidates counts.
  ///
  /// Source: RFC 8445, section 6.1.2.3.
  static func priority(controlling: UInt32, controlled: UInt32) -> UInt64 {
    let (lower, higher) = (UInt64(min(controlling, controlled)), UInt64(max(controlling, controlled)))
    // Two of the highest priorities would reach beyond 64 bits.
    return (lower << 32) &+ 2 &* higher &+ (controlling > controlled ? 1 : 0)
  }
}
