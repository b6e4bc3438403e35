/// Role of a user in a channel with roles.
public enum ClientRole: Int, Hashable, Sendable, CaseIterable {
  /// Publishes and subscribes.
  case broadcaster = 1
  /// Subscribes only.
  case audience = 2

  /// Name in messages and sentences.
  public var name: String {
    switch self {
    case .broadcaster: "broadcaster"
    case .audience: "audience"
    }
  }
}
