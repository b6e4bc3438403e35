/// Finds the remote user that is the loudest most often.
struct ActiveSpeaker: Sendable {
  private var current: SpeakerID?
  private var votes: [SpeakerID: Int] = [:]

  /// Counts one frame. Silence (volume 0) counts for no user.
  mutating func vote(loudest: SpeakerID, meanSquare: Double) {
    guard VolumeScale.volume(meanSquare: meanSquare) > 0 else { return }
    votes[loudest, default: 0] += 1
  }

  /// Ends a period.
  ///
  /// - Parameter users: Remote users in the order in which they came. Among equals the active one stays; otherwise the
  ///   first is taken.
  /// - Returns: The active speaker if it has changed; nil otherwise.
  mutating func closePeriod(users: some Sequence<SpeakerID>) -> SpeakerID? {
    defer { votes.removeAll(keepingCapacity: true) }
    guard !votes.isEmpty else { return nil }
    var best = current.flatMap { id in votes[id].map { (id: id, count: $0) } }
    for id in users {
      if let count = votes[id], count > best?.count ?? 0 { best = (id, count) }
    }
    guard let best, best.id != current else { return nil }
    current = best.id
    return best.id
  }

  /// Forgets a user that has left; its return counts as a change.
  mutating func remove(_ id: SpeakerID) {
    votes[id] = nil
    if current == id { current = nil }
  }

  /// Discards the counts, for a period with too few users for one to stand out.
  mutating func dropVotes() { votes.removeAll(keepingCapacity: true) }
}
