import Signalling

/// Request of a session that waits for its answer.
enum SessionRequest: Hashable {
  /// A message to a user.
  case message
  /// A question whether a user is online.
  case presence
  /// `renewToken`, and the credential before it.
  case renewal(old: SessionCredential)
}
