/// When packets were captured that have not been played yet, in the order in which they were sent.
///
/// What lies before a packet that is played will never be asked for: it is forgotten then, so there are no more than
/// are under way.
struct CaptureLog {
  /// A packet.
  struct Entry {
    let timestamp: UInt32
    let nanoseconds: Int
    let packetMilliseconds: Double
  }

  /// More packets of 10 ms than a link can hold: two minutes. So many are kept where nothing is ever played.
  private static let limit = 12_000

  private var entries: [Entry] = []
  /// Entries at the front that are forgotten.
  private var first = 0

  mutating func add(_ entry: Entry) {
    entries.append(entry)
    if entries.count - first > Self.limit { first += 1 }
    // Each is moved once at most for each time that it is added.
    guard first > 32, 2 * first > entries.count else { return }
    entries.removeFirst(first)
    first = 0
  }

  /// The packet with a timestamp, and forgets those before it; nil when there is none.
  mutating func find(_ timestamp: UInt32) -> Entry? {
    guard let index = entries[first...].firstIndex(where: { $0.timestamp == timestamp }) else { return nil }
    first = index
    return entries[index]
  }
}
