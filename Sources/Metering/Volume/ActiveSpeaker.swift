/// Finds the remote user that is the loudest most often.
struct ActiveSpeaker: Sendable {
  private var current: SpeakerID?
  private var votes: [SpeakerID: Int] = [:]

  /// Counts one frame. Silence, what is volume 0, is nobody's.
  mutating func vote(loudest: SpeakerID, meanSquare: Double) {
    guard VolumeScale.volume(meanSquare: meanSquare) > 0 else { return }
    votes[loudest, default: 0] += 1
  }

  /// Ends a period.
  ///
  /// - Parameter users: remote users in the order in which they came; among equals the one that is active stays, else
  ///   the first is taken.
  /// - Returns: the active speaker where it has become another one.
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

  /// Forgets a user who has left: should it come back, that is news.
  mutating func remove(_ id: SpeakerID) {
    votes[id] = nil
    if current == id { current = nil }
  }

  /// Drops what has been counted, where there are too few users for anyone to stand out.
  mutating func dropVotes() { votes.removeAll(keepingCapacity: true) }
}
