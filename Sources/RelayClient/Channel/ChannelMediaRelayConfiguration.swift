/// Other channels that get the local user's audio: all of them, 1 to 6.
public struct ChannelMediaRelayConfiguration: Hashable, Sendable {
  /// Token of the user in its own channel, with the right `relay:NAME` for each other one; nil for that of the join.
  public var sourceToken: String?
  /// Other channels.
  public var destinations: [ChannelMediaInfo]

  /// Creates a configuration from its parts.
  public init(sourceToken: String? = nil, destinations: [ChannelMediaInfo] = []) {
    self.sourceToken = sourceToken
    self.destinations = destinations
  }
}
