/// Media of a user in a channel to which its audio is relayed.
///
/// Thread: that which holds the channel's forwarder.
final class RelayedUser {
  let user: MediaUser
  let link: RelayLink
  /// Time of the last look at the listeners' loss.
  var lookNanoseconds = Int.min / 2

  init(_ user: MediaUser, _ link: RelayLink) {
    self.user = user
    self.link = link
  }
}
