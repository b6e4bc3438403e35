/// Finds the number of times that the sequence number of a source had wrapped before its first packet came here.
///
/// The protection of a packet depends on that count, and no packet contains it. A receiver that joins after 65536
/// packets, 22 minutes of those of 20 ms, would decrypt none. So every packet that does not decrypt is tried with one
/// wrap more than the packet of its source before it. A stream of a day is found within two seconds. Forged sources do
/// not take a source's turn, as long as fewer than eight come between its packets.
///
/// Source: RFC 3711, sections 3.2.1 and 3.3.1, of the rollover counter.
struct RolloverCounterSearch {
  /// Largest count of wraps: two months of packets of 20 ms.
  private static let largestCount: UInt32 = 4_096
  private static let sourceCount = 8
  /// Sources with their wraps tried last, the newest source first.
  private var tried: [(source: UInt32, wraps: UInt32)] = []

  init() { tried.reserveCapacity(Self.sourceCount) }

  /// Returns the count of wraps to try for a packet that has not been decrypted.
  mutating func next(_ source: UInt32) -> UInt32 {
    let wraps = take(source) % Self.largestCount + 1
    if tried.count == Self.sourceCount { tried.removeLast() }
    tried.insert((source, wraps), at: 0)
    return wraps
  }

  /// Ends the search for a source, which has been found.
  ///
  /// - Returns: Wraps that were tried last.
  @discardableResult
  mutating func take(_ source: UInt32) -> UInt32 {
    guard let index = tried.firstIndex(where: { $0.source == source }) else { return 0 }
    return tried.remove(at: index).wraps
  }
}
