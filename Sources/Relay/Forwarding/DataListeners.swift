import NetworkIO

/// Users of a channel that take messages of data streams, by uid.
///
/// Thread: that which holds the forwarder.
final class DataListeners {
  /// Messages to all users within a second: 30 of one user to 1,000, and as many more.
  private static let messagesPerSecond = 60_000

  /// Messages that may be sent to users of the channel.
  private var allowance = RateLimit(perSecond: messagesPerSecond, burst: messagesPerSecond / 2)
  private(set) var users: [MediaUser] = []

  func add(_ user: MediaUser) {
    remove(user)
    users.insert(user, at: users.firstIndex { $0.uid > user.uid } ?? users.endIndex)
  }

  /// Counts a message to a user.
  ///
  /// - Returns: Whether it is within the limit of the channel.
  func allows(_ now: Int) -> Bool { allowance.allows(at: Int64(now)) }

  func remove(_ user: MediaUser) { users.removeAll { $0 === user } }
}
