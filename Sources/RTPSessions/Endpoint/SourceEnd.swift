/// Reason for the end of an endpoint's source.
public enum SourceEnd: Hashable, Sendable {
  /// The source has said BYE, and its last sound has been played.
  case bye
  /// No packet has come for the timeout.
  case timeout
  /// The source sends another format: it begins again as the same user.
  case formatChanged
  /// The endpoint was stopped.
  case stopped
}
