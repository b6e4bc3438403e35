/// Outcome of a message to a user. No message is ever sent twice.
public enum MessageOutcome: Hashable, Sendable {
  /// The message was written to this number of connected sessions of the user.
  case delivered(sessionCount: Int)
  /// The user has no connected session: nobody gets the message.
  case noSuchUser
  /// The connection was lost before the answer: the user may have the message, or not.
  case unknown
}
