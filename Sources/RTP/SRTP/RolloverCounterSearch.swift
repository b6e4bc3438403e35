/// Finds out how often the sequence number of a source had wrapped before its first packet came here.
///
/// What protects a packet depends on that count, and no packet says it: who joins after 65536 packets, 22 minutes of
/// those of 20 ms, would open none. So every packet that does not open is tried with one wrap more than the packet of
/// its source before it; a stream of a day is found within two seconds. Sources that are forged take the turn of none,
/// as long as fewer than eight come between its packets.
///
/// Source: RFC 3711, sections 3.2.1 and 3.3.1, of the rollover counter.
struct RolloverCounterSearch {
  /// Two months of packets of 20 ms.
  private static let largestCount: UInt32 = 4_096
  private static let sourceCount = 8
  /// The newest first.
  private var tried: [(source: UInt32, wraps: UInt32)] = []

  init() { tried.reserveCapacity(Self.sourceCount) }

  /// With how many wraps to try a packet that has not opened.
  mutating func next(_ source: UInt32) -> UInt32 {
    let wraps = take(source) % Self.largestCount + 1
    if tried.count == Self.sourceCount { tried.removeLast() }
    tried.insert((source, wraps), at: 0)
    return wraps
  }

  /// Ends the search for a source, which has been found. Returns: the wraps that were tried last.
  @discardableResult
  mutating func take(_ source: UInt32) -> UInt32 {
    guard let index = tried.firstIndex(where: { $0.source == source }) else { return 0 }
    return tried.remove(at: index).wraps
  }
}
