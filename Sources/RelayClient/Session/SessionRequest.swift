import Signalling

/// Request of a session that waits for its answer.
enum SessionRequest: Hashable {
  /// A message to a user.
  case message
  /// A question whether a user is online, and the time at which the wait for its answer ends.
  case presence(untilNanoseconds: Int)
  /// `renewToken`, and the credential before it.
  case renewal(old: SessionCredential)

  /// Time at which the wait for the answer ends; `Int.max`: with the connection.
  var expiryNanoseconds: Int {
    if case .presence(let time) = self { time } else { .max }
  }
}
