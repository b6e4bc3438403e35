/// Counts of a load. Packets count from `LoadUsers.beginCounting` on.
package struct LoadCounts: Hashable, Sendable {
  /// Packets that publishers have sent.
  package var sent = 0
  /// Packets that publishers could not send, because their connection was interrupted.
  package var unsent = 0
  /// Sum over the sent packets of the listeners that had joined.
  package var expected = 0
  /// Packets that listeners have received, each once.
  package var received = 0
  /// Further arrivals of packets that were received before.
  package var duplicated = 0
  /// Received packets that arrived behind a later one.
  package var outOfOrder = 0
  /// Bytes of the datagrams with received packets.
  package var receivedByteCount = 0
  /// Rejoins after an interruption, from the start on.
  package var rejoins = 0

  /// Packets of the first 400 ms of turns that were expected, and those that were received.
  package var expectedBeginnings = 0
  package var receivedBeginnings = 0

  /// Listeners to which the relay forwards a limited number of speakers.
  package var limitedListeners = 0

  /// Creates counts of 0.
  package init() {}

  /// Packets that were expected and not received.
  package var lost: Int { max(0, expected - received) }

  /// Lost packets in percent of the expected ones; 0 if none were expected.
  package var lostPercent: Double { expected == 0 ? 0 : 100 * Double(lost) / Double(expected) }

  private static var fields: [WritableKeyPath<LoadCounts, Int>] {
    [
      \.sent, \.unsent, \.expected, \.received, \.duplicated, \.outOfOrder, \.receivedByteCount, \.rejoins,
      \.expectedBeginnings, \.receivedBeginnings, \.limitedListeners,
    ]
  }

  /// All counts in a fixed order, for another process.
  package var values: [Int] { Self.fields.map { self[keyPath: $0] } }

  /// Creates the counts of `values`; nil if their number is another one.
  package init?(values: [Int]) {
    guard values.count == Self.fields.count else { return nil }
    for (field, value) in zip(Self.fields, values) { self[keyPath: field] = value }
  }

  /// Counts since earlier ones.
  package static func - (new: LoadCounts, old: LoadCounts) -> LoadCounts {
    var counts = LoadCounts()
    for field in fields { counts[keyPath: field] = new[keyPath: field] - old[keyPath: field] }
    return counts
  }

  /// Counts of two processes.
  package static func + (one: LoadCounts, other: LoadCounts) -> LoadCounts {
    var counts = LoadCounts()
    for field in fields { counts[keyPath: field] = one[keyPath: field] + other[keyPath: field] }
    return counts
  }
}
