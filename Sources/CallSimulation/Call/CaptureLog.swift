/// Capture times of packets not yet played, in the order in which the packets were sent.
///
/// Entries before a packet that is played are never needed again and are removed. The log therefore holds no more
/// entries than packets are under way.
struct CaptureLog {
  /// Entry of a packet.
  struct Entry {
    let timestamp: UInt32
    let nanoseconds: Int
    let packetMilliseconds: Double
  }

  /// Largest number of entries, kept if nothing is ever played: two minutes of 10 ms packets, more than a link can
  /// hold.
  private static let limit = 12_000

  private var entries: [Entry] = []
  /// Number of entries at the front that no longer count.
  private var first = 0

  mutating func add(_ entry: Entry) {
    entries.append(entry)
    if entries.count - first > Self.limit { first += 1 }
    // At most one entry is moved for each entry added.
    guard first > 32, 2 * first > entries.count else { return }
    entries.removeFirst(first)
    first = 0
  }

  /// Returns the packet with a timestamp and removes the entries before it; nil if there is no such packet.
  mutating func find(_ timestamp: UInt32) -> Entry? {
    guard let index = entries[first...].firstIndex(where: { $0.timestamp == timestamp }) else { return nil }
    first = index
    return entries[index]
  }
}
