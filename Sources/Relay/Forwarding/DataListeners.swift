/// Users of a channel that take messages of data streams, by uid.
///
/// Thread: that which holds the forwarder.
final class DataListeners {
  private(set) var users: [MediaUser] = []

  func add(_ user: MediaUser) {
    remove(user)
    users.insert(user, at: users.firstIndex { $0.uid > user.uid } ?? users.endIndex)
  }

  func remove(_ user: MediaUser) { users.removeAll { $0 === user } }
}
