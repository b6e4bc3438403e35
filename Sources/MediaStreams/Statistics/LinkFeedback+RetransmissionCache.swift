extension LinkFeedback {
  /// Packets that a far end has told of, since it began to count them.
  public struct RetransmissionCache: Hashable, Sendable {
    /// Those that should have arrived.
    public var due: Int
    /// Those of them that did not. It sinks where packets come that were thought lost.
    public var lost: Int

    /// Packets from their counts.
    public init(due: Int = 0, lost: Int = 0) {
      self.due = due
      self.lost = lost
    }

    /// The share that was lost of what has become due since; nil where nothing has.
    package func loss(since old: RetransmissionCache) -> Double? {
      guard due > old.due else { return nil }
      return min(1, max(0, Double(lost - old.lost) / Double(due - old.due)))
    }
  }
}
