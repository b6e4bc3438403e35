import RelayLoad

/// Measurements of one second of a load.
struct LoadSecond {
  /// Number of the second, from 1 on.
  let number: Int
  /// Users that have joined, at its end.
  var joinedCount: Int
  /// Counts of the second.
  var counts: LoadCounts
  /// Delays of the packets that arrived in the second.
  var delays: DelayDistribution

  /// Adds the same second of another process.
  mutating func add(_ other: LoadSecond) {
    joinedCount += other.joinedCount
    counts = counts + other.counts
    delays.add(other.delays)
  }
}
