/// Counters of the datagrams that a proxy forwards in one direction.
public struct ProxyDirection: Hashable, Sendable {
  /// Counters of the link.
  public internal(set) var link = LinkCounters()
  /// Datagrams that came out of the link and that the system did not accept.
  public internal(set) var unsent = 0
  /// Datagrams that came back because nobody listens or no path exists, as far as hosts report it. Most hosts report at
  /// most once a second.
  public internal(set) var unreachable = 0

  init() {}

  static func += (sum: inout ProxyDirection, other: ProxyDirection) {
    sum.link.sent += other.link.sent
    sum.link.delivered += other.link.delivered
    sum.link.lost += other.link.lost
    sum.link.dropped += other.link.dropped
    sum.link.duplicated += other.link.duplicated
    sum.link.reordered += other.link.reordered
    sum.unsent += other.unsent
    sum.unreachable += other.unreachable
  }
}
