extension LinkFeedback {
  /// Packets that a far end has reported on, since it began to count them.
  public struct SentPackets: Hashable, Sendable {
    /// Packets that should have arrived.
    public var due: Int
    /// Packets that should have arrived and did not. It sinks if packets come that were thought lost.
    public var lost: Int

    /// Creates packets from their counts.
    public init(due: Int = 0, lost: Int = 0) {
      self.due = due
      self.lost = lost
    }

    /// Returns the lost share of the packets that have become due since `old`; nil if none has.
    package func loss(since old: SentPackets) -> Double? {
      guard due > old.due else { return nil }
      return min(1, max(0, Double(lost - old.lost) / Double(due - old.due)))
    }
  }
}
