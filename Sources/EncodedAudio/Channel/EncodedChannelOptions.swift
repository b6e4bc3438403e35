public import NetworkIO
import RTP
public import Signalling

/// Options of an `EncodedChannel`.
public struct EncodedChannelOptions: Sendable {
  /// User in the channel; uid 0 requests a uid of the relay.
  public var user: UserIdentity
  /// Whether the user publishes packets.
  public var publishes: Bool
  /// Whether the user receives the packets of the others.
  public var receives: Bool
  /// Longest time for which packets wait for an earlier one, at least 0. A lost packet is requested, and its
  /// retransmission must come within this time.
  public var reorderingWait: Duration
  /// Whether lost packets are requested.
  public var requestsPackets: Bool
  /// Profile of the channel.
  public var profile: ChannelProfile
  /// Rule for the relay's certificate.
  public var verification: TLSVerification

  /// Creates options of a user that receives.
  public init(
    user: UserIdentity = .uid(0), publishes: Bool = false, receives: Bool = true,
    reorderingWait: Duration = .milliseconds(200), requestsPackets: Bool = true, profile: ChannelProfile = .live,
    verification: TLSVerification = .systemRoots
  ) {
    self.user = user
    self.publishes = publishes
    self.receives = receives
    self.reorderingWait = reorderingWait
    self.requestsPackets = requestsPackets
    self.profile = profile
    self.verification = verification
  }

  /// Options of the user's membership.
  func membership(_ channel: ChannelName, _ credential: SessionCredential, limitNanoseconds: Int?)
    -> ChannelMembershipOptions
  {
    ChannelMembershipOptions(
      credential: credential, channel: channel, user: user, profile: profile,
      settings: ChannelSettings(
        role: publishes ? .broadcaster : .audience, publishes: publishes, autoSubscribe: receives),
      joinLimitNanoseconds: limitNanoseconds)
  }
}
