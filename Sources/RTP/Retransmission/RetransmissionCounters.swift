/// What has become of the packets that a receiver asked for again.
public struct RetransmissionCounters: Hashable, Sendable, BitwiseCopyable {
  /// Requests that came; a packet asked for twice counts twice.
  public internal(set) var asked = 0
  /// Requests that came again within a round trip, as the network makes copies; they are not among those `asked`.
  public internal(set) var copies = 0
  /// Packets sent again.
  public internal(set) var retransmitted = 0
  /// Requests for packets that are not kept, or no longer.
  public internal(set) var gone = 0
  /// Requests left out because they had waited for too long, too many newer ones waited, or the same one did already.
  public internal(set) var skipped = 0

  @_noLocks
  init() {}

  static func + (a: RetransmissionCounters, b: RetransmissionCounters) -> RetransmissionCounters {
    var sum = a
    sum.asked += b.asked
    sum.copies += b.copies
    sum.retransmitted += b.retransmitted
    sum.gone += b.gone
    sum.skipped += b.skipped
    return sum
  }
}
