package import Signalling

/// Options of a membership: one user in one channel.
package struct ChannelMembershipOptions: Sendable {
  /// Token or app id of the join.
  package var credential: SessionCredential
  /// Channel.
  package var channel: ChannelName
  /// User; uid 0 requests a uid of the relay.
  package var user: UserIdentity
  /// Profile of the channel.
  package var profile: ChannelProfile
  /// Settings at the join.
  package var settings: ChannelSettings
  /// Whether messages of data streams are taken.
  package var takesData: Bool
  /// Whether the speakers that the relay chooses are reported.
  package var takesSpeakers: Bool
  /// Text for the relay's logs; nil for none.
  package var info: String?
  /// Longest time of the first join, in nanoseconds; nil for that of a loss.
  package var joinLimitNanoseconds: Int?

  /// Creates options from their parts.
  package init(
    credential: SessionCredential, channel: ChannelName, user: UserIdentity, profile: ChannelProfile = .live,
    settings: ChannelSettings = ChannelSettings(), takesData: Bool = false, takesSpeakers: Bool = false,
    info: String? = nil, joinLimitNanoseconds: Int? = nil
  ) {
    self.credential = credential
    self.channel = channel
    self.user = user
    self.profile = profile
    self.settings = settings
    self.takesData = takesData
    self.takesSpeakers = takesSpeakers
    self.info = info
    self.joinLimitNanoseconds = joinLimitNanoseconds
  }
}
