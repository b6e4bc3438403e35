/// Counters of the packets of a link: `sent + duplicated = delivered + lost + dropped + underWay`.
public struct LinkCounters: Hashable, Sendable, BitwiseCopyable {
  /// Packets handed to the link.
  public package(set) var sent = 0
  /// Packets that have come out, including duplicates.
  public package(set) var delivered = 0
  /// Packets lost by the loss model or a trace.
  public package(set) var lost = 0
  /// Packets that found the queue full.
  public package(set) var dropped = 0
  /// Duplicates made.
  public package(set) var duplicated = 0
  /// Packets that have come out after a packet that was sent later; duplicates do not count.
  public package(set) var reordered = 0
  /// Packets and duplicates not yet delivered.
  public var underWay: Int { sent + duplicated - delivered - lost - dropped }

  package init() {}
}
