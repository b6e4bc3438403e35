/// What has become of the datagrams that a proxy passes on in one direction.
public struct ProxyDirection: Hashable, Sendable {
  /// What the link has done.
  public internal(set) var link = LinkCounters()
  /// Datagrams that came out of the link and that the system did not take.
  public internal(set) var unsent = 0
  /// Datagrams that were sent and came back because nobody listens there or there is no way, as far as hosts say so:
  /// most once a second at most.
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
