import Signalling

/// Request that waits for an answer.
enum PendingRequest: Hashable {
  /// `update`, and the role before it.
  case update(oldRole: ClientRole)
  /// `renewToken`, and the credential before it.
  case renewal(old: SessionCredential)
  /// `diagnose`.
  case diagnosis
}
