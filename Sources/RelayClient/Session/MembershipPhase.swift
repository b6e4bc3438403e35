/// Step of a membership's present attempt.
enum MembershipPhase: Hashable {
  /// No attempt: before the start, after a leave, after a failure.
  case idle
  /// The join follows as soon as the session can send it.
  case waiting
  /// The join follows at this time, on a session that other memberships use.
  case pausing(untilNanoseconds: Int)
  /// `join` waits for its answer.
  case joining
  /// The transport connects.
  case connecting
  /// The channel is joined, and packets pass.
  case connected
  /// `leave` waits for its answer.
  case leaving

  /// Whether the relay may know the membership by this connection.
  var isKnownToRelay: Bool {
    switch self {
    case .joining, .connecting, .connected, .leaving: true
    case .idle, .waiting, .pausing: false
    }
  }
}
