/// Maximum role that a token grants.
public enum TokenRole: String, Hashable, Sendable, CaseIterable {
  /// The user may be a broadcaster or a member of the audience.
  case broadcaster
  /// The user may be a member of the audience.
  case audience

  /// Whether a user with such a token may take `role`.
  public func allows(_ role: ClientRole) -> Bool { self == .broadcaster || role == .audience }
}
