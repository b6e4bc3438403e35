/// Counts of received packets.
public struct EncodedCounts: Hashable, Sendable {
  /// Packets that were passed on.
  public internal(set) var received = 0
  /// Packets that did not come in time.
  public internal(set) var lost = 0
  /// Packets that came behind a later one, and were put in order.
  public internal(set) var reordered = 0
  /// Further arrivals of packets that had come.
  public internal(set) var duplicated = 0
  /// Packets that came after they had been counted as lost.
  public internal(set) var late = 0
  /// Packets with a payload that is not Opus.
  public internal(set) var malformed = 0
  /// Restarts of senders, without their first starts.
  public internal(set) var restarts = 0

  /// Creates counts of 0.
  public init() {}

  static func + (one: EncodedCounts, other: EncodedCounts) -> EncodedCounts {
    var sum = one
    sum.received += other.received
    sum.lost += other.lost
    sum.reordered += other.reordered
    sum.duplicated += other.duplicated
    sum.late += other.late
    sum.malformed += other.malformed
    sum.restarts += other.restarts
    return sum
  }
}
