/// Profile of a channel, one for all its users.
public enum ChannelProfile: Int, Hashable, Sendable, CaseIterable {
  /// Calls: every user may speak, and every user is announced.
  case communication = 0
  /// Broadcasts with roles: broadcasters speak, and the audience listens.
  case live = 1
  /// Game voice in which every user may speak.
  case gameFree = 2
  /// Game voice with roles.
  case gameCommand = 3

  /// Whether users of the profile have roles.
  public var hasRoles: Bool { self == .live || self == .gameCommand }

  /// Time without a packet after which a relay drops a user, unless its settings have another one, in ms.
  public var standardDropMilliseconds: Int64 {
    switch self {
    case .communication: 20_000
    case .live: 25_000
    case .gameFree, .gameCommand: 15_000
    }
  }

  /// Name in messages and sentences.
  public var name: String {
    switch self {
    case .communication: "communication"
    case .live: "live"
    case .gameFree: "gameFree"
    case .gameCommand: "gameCommand"
    }
  }
}
