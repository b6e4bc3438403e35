import Signalling

/// A channel with at least one member.
final class Channel {
  let key: ChannelKey
  /// Profile; that of the first user that joins.
  var profile: ChannelProfile
  /// Forwards the packets of the channel.
  let forwarder: Forwarder
  /// Media of the channel; the signalling holds the forwarder while it uses them.
  let media = MediaChannel()
  private(set) var members: [UInt32: Member] = [:]
  private var accounts: [UserAccount: UInt32] = [:]

  var name: ChannelName { key.name }

  init(_ key: ChannelKey, _ profile: ChannelProfile, _ forwarder: Forwarder) {
    self.key = key
    self.profile = profile
    self.forwarder = forwarder
  }

  /// Members by uid, so that two runs have one order of events.
  private(set) var ordered: [Member] = []

  /// Whether all members are heard from other channels: nobody has joined.
  var hasRelayedUsersOnly: Bool { members.values.allSatisfy { $0.origin != nil } }

  /// Users that count for the limit.
  var userCount: Int { members.values.count { !$0.rights.contains(.hidden) } }

  /// Users that may publish now.
  var publisherCount: Int { members.values.count { $0.countsAsPublisher } }

  func uid(of account: UserAccount) -> UInt32? { accounts[account] }

  func insert(_ member: Member) {
    remove(uid: member.uid)
    ordered.insert(member, at: place(of: member.uid))
    members[member.uid] = member
    if let account = member.account { accounts[account] = member.uid }
  }

  func remove(_ member: Member) {
    remove(uid: member.uid)
    if let account = member.account { accounts[account] = nil }
  }

  private func remove(uid: UInt32) {
    guard members.removeValue(forKey: uid) != nil else { return }
    ordered.remove(at: place(of: uid))
  }

  /// Index of a uid among the ordered members, or the one at which it would be. O(log n).
  private func place(of uid: UInt32) -> Int {
    var range = 0..<ordered.count
    while let middle = range.isEmpty ? nil : (range.lowerBound + range.upperBound) / 2 {
      range = ordered[middle].uid < uid ? middle + 1..<range.upperBound : range.lowerBound..<middle
    }
    return range.lowerBound
  }
}
