/// Proof of a client that it may have a session.
public enum SessionCredential: Hashable, Sendable {
  /// A token, with the app's id in it.
  case token(SecretText)
  /// The app's id alone, at a relay that allows it.
  case app(AppID)
}
