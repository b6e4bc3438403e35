/// Outcome of the packets that a receiver requested.
public struct RetransmissionCounters: Hashable, Sendable, BitwiseCopyable {
  /// Requests received; a packet requested twice counts twice.
  public internal(set) var requested = 0
  /// Requests repeated within a round trip, as duplicates by the network; they are not among `requested`.
  public internal(set) var copies = 0
  /// Retransmitted packets.
  public internal(set) var retransmitted = 0
  /// Requests for packets that are not kept, or no longer.
  public internal(set) var gone = 0
  /// Requests skipped because they had waited too long, too many newer ones waited, or the same one waited already.
  public internal(set) var skipped = 0

  @_noLocks
  init() {}

  static func + (a: RetransmissionCounters, b: RetransmissionCounters) -> RetransmissionCounters {
    var sum = a
    sum.requested += b.requested
    sum.copies += b.copies
    sum.retransmitted += b.retransmitted
    sum.gone += b.gone
    sum.skipped += b.skipped
    return sum
  }
}
