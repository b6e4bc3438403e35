/// Ids of calls that must not ring any more: they have ended, were refused, or were cancelled before they came.
struct EndedCalls {
  private var entries: [(id: String, user: UInt32, time: Int)] = []

  /// Most entries of one user: the flood of one user forgets its own calls alone.
  private static let countOfUser = 16
  /// Most entries of all users.
  private static let count = 512

  func contains(_ id: String, of user: UInt32) -> Bool { entries.contains { $0.id == id && $0.user == user } }

  mutating func insert(_ id: String, of user: UInt32, _ now: Int) {
    entries.removeAll { $0.time < now - CallTimes.memory || ($0.id == id && $0.user == user) }
    let own = entries.indices.filter { entries[$0].user == user }
    if own.count >= Self.countOfUser { entries.remove(at: own[0]) }
    if entries.count >= Self.count { entries.removeFirst() }
    entries.append((id, user, now))
  }
}
