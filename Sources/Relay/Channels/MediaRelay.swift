import NetworkIO
import Signalling

/// Other channels in which a user is heard.
final class MediaRelay {
  /// A channel in which the user is heard.
  struct Destination {
    /// The user there: without a media connection.
    let member: Member
    /// Session of that user alone, without a connection: the events of its channel go nowhere.
    let session: Session
    let link: RelayLink
  }

  /// The user in its own channel.
  unowned let source: Member
  /// Grant of the request's own token; nil if that of the user counts.
  var grant: TokenGrant?
  /// Whether the user is muted in the other channels.
  var isPaused = false
  /// Rate of the changes that the users of the other channels hear of, for all of them together.
  var announcements = RateLimit(perSecond: 20, burst: 24)
  private(set) var destinations: [ChannelName: Destination] = [:]

  init(of source: Member) { self.source = source }

  /// Users by the names of their channels, so that two runs have one order of events.
  var ordered: [Destination] {
    destinations.values.sorted { $0.member.channel.name.text < $1.member.channel.name.text }
  }

  subscript(channel: ChannelName) -> Destination? { destinations[channel] }

  func insert(_ destination: Destination) { destinations[destination.member.channel.name] = destination }

  func remove(_ channel: ChannelName) -> Destination? { destinations.removeValue(forKey: channel) }

  /// Whether the user in another channel is one of its own: a rejoin there, or a change of its token, keeps it.
  func has(_ user: UserIdentity, in channel: ChannelName) -> Bool {
    guard let member = destinations[channel]?.member else { return false }
    return member.identity == user || user == .uid(0) && member.account == nil
  }

  /// Refuses a channel to which the user may not be relayed.
  func check(_ channel: ChannelName, with own: TokenGrant?) throws(TokenError) {
    guard let token = (own ?? source.ownGrant ?? source.session.grant).token else { return }
    try TokenVerifier.check(token, relayDestination: channel)
  }
}
