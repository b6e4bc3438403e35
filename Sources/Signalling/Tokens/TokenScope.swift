/// Channels that a token is valid for.
public enum TokenScope: Hashable, Sendable, CustomStringConvertible {
  /// One channel.
  case channel(ChannelName)
  /// Every channel of the app, and a session without a channel; `*` in the token.
  case anyChannel

  public var description: String {
    switch self {
    case .channel(let name): "channel '\(name)'"
    case .anyChannel: "any channel"
    }
  }
}
