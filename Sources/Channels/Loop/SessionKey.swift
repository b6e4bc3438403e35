import Signalling

/// Channels with equal keys share a session at the relay.
struct SessionKey: Hashable {
  /// The user that the session's token names.
  let user: UserIdentity
  /// Whether the user has tokens, in place of the app's id alone.
  let hasToken: Bool
}
