package import Signalling

/// Options of one connection to one channel.
package struct ChannelConnectionOptions: Sendable {
  /// Address of the relay's WebSocket.
  package var relay: String
  /// Token or app id of the session.
  package var credential: SessionCredential
  /// Channel.
  package var channel: ChannelName
  /// User; uid 0 requests a uid of the relay.
  package var user: UserIdentity
  /// Profile of the channel.
  package var profile: ChannelProfile
  /// Settings at the join.
  package var settings: ChannelSettings
  /// Text for the relay's logs; nil for none.
  package var info: String?
  /// Name and version of the program, for the relay's logs.
  package var software: String?
  /// Longest time of the first join, in nanoseconds; nil for that of a loss.
  package var joinLimitNanoseconds: Int?

  /// Creates options from their parts.
  package init(
    relay: String, credential: SessionCredential, channel: ChannelName, user: UserIdentity,
    profile: ChannelProfile = .live, settings: ChannelSettings = ChannelSettings(), info: String? = nil,
    software: String? = nil, joinLimitNanoseconds: Int? = nil
  ) {
    self.relay = relay
    self.credential = credential
    self.channel = channel
    self.user = user
    self.profile = profile
    self.settings = settings
    self.info = info
    self.software = software
    self.joinLimitNanoseconds = joinLimitNanoseconds
  }
}
