/// Users of other channels that are heard in those of a forwarder, by the numbers of their links.
///
/// Thread: that which holds the forwarder.
struct RelayedUsers {
  private var users: [UInt64: RelayedUser] = [:]
  private var newest: UInt64 = 0

  /// Whether there is none.
  var isEmpty: Bool { users.isEmpty }

  subscript(link: UInt64) -> RelayedUser? { users[link] }

  /// Adds a user, with a link of a new number.
  mutating func add(_ user: MediaUser, at forwarder: Forwarder) -> RelayLink {
    newest += 1
    let link = RelayLink(newest, to: forwarder)
    users[newest] = RelayedUser(user, link)
    return link
  }

  mutating func remove(_ link: RelayLink) { users[link.number] = nil }
}
