/// State of a remote user's stream at this listener.
public enum SubscribeState: Int, Hashable, Sendable, CaseIterable {
  /// The user is not in the channel.
  case idle = 0
  /// The listener does not subscribe to the user, or has muted it.
  case notSubscribed = 1
  /// The listener subscribes, and no packet has come yet.
  case subscribing = 2
  /// Packets come.
  case subscribed = 3
}
