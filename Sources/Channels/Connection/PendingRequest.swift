import Signalling

/// Request that waits for an answer.
enum PendingRequest: Hashable {
  /// `update`, and the role before it.
  case update(oldRole: ClientRole)
  /// `renewToken`.
  case renewal
  /// `diagnose`.
  case diagnosis
}
