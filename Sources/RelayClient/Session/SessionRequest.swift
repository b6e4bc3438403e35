import Signalling

/// Request of a session that waits for its answer.
enum SessionRequest: Hashable {
  /// A message to a user, and the time at which the wait for its answer ends.
  case message(untilNanoseconds: Int)
  /// A question whether a user is online, and the time at which the wait for its answer ends.
  case presence(untilNanoseconds: Int)
  /// `renewToken`, and the credential before it.
  case renewal(old: SessionCredential)

  /// Time at which the wait for the answer ends; `Int.max`: with the connection.
  var expiryNanoseconds: Int {
    switch self {
    case .message(let time), .presence(let time): time
    case .renewal: .max
    }
  }
}
