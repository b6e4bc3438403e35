import Signalling

/// A channel with at least one member.
final class Channel {
  let key: ChannelKey
  let profile: ChannelProfile
  /// Forwards the packets of the channel.
  let forwarder: Forwarder
  private(set) var members: [UInt32: Member] = [:]
  private var accounts: [UserAccount: UInt32] = [:]

  var name: ChannelName { key.name }

  init(_ key: ChannelKey, _ profile: ChannelProfile, _ forwarder: Forwarder) {
    self.key = key
    self.profile = profile
    self.forwarder = forwarder
  }

  /// Members by uid, so that two runs have one order of events.
  var ordered: [Member] { members.values.sorted { $0.uid < $1.uid } }

  /// Users that count for the limit.
  var userCount: Int { members.values.count { !$0.rights.contains(.hidden) } }

  /// Users that may publish now.
  var publisherCount: Int { members.values.count { $0.countsAsPublisher } }

  func uid(of account: UserAccount) -> UInt32? { accounts[account] }

  func insert(_ member: Member) {
    members[member.uid] = member
    if let account = member.account { accounts[account] = member.uid }
  }

  func remove(_ member: Member) {
    members[member.uid] = nil
    if let account = member.account { accounts[account] = nil }
  }
}
