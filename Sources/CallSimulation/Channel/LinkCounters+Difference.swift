import NetworkSimulation

extension LinkCounters {
  /// Counters of the packets since earlier ones.
  static func - (now: LinkCounters, earlier: LinkCounters) -> LinkCounters {
    var difference = LinkCounters()
    difference.sent = now.sent - earlier.sent
    difference.delivered = now.delivered - earlier.delivered
    difference.lost = now.lost - earlier.lost
    difference.dropped = now.dropped - earlier.dropped
    difference.duplicated = now.duplicated - earlier.duplicated
    difference.reordered = now.reordered - earlier.reordered
    return difference
  }
}
