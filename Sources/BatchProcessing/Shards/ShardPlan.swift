/// Rows of one shard. Rows are dealt out by their length, the longest first, each to the shard with the least so far:
/// the same on every worker.
///
/// Source: Graham 1969, the LPT rule.
public struct ShardPlan: Hashable, Sendable {
  /// Least length of a row, in milliseconds: a file costs something even if it is short, missing or damaged.
  private static let leastCost: UInt32 = 100

  /// The shard.
  public let shard: Shard
  /// Positions of the shard's rows, the longest first.
  package let rows: [UInt32]
  /// Length of the shard's rows, in milliseconds.
  package let milliseconds: UInt64
  /// Length of the longest shard, in milliseconds.
  package let largest: UInt64
  /// Length of all rows, in milliseconds.
  package let total: UInt64
  /// Number of all lengths.
  package let fingerprint: Fingerprint

  /// Deals out rows. Cost: n log n; memory: 12 bytes a row.
  ///
  /// - Parameters:
  ///   - durations: length of each row, in milliseconds.
  ///   - shard: the shard to plan.
  package init(durations: [UInt32], shard: Shard) {
    // The longest first; rows of one length in the order of the manifest.
    var order = durations.indices.map { UInt64(~max(durations[$0], Self.leastCost)) << 32 | UInt64($0) }
    order.sort()
    var rows: [UInt32] = []
    var costs = LeastSum(count: shard.count)
    var lengths = [UInt64](repeating: 0, count: shard.count)
    for entry in order {
      let cost = UInt64(~UInt32(truncatingIfNeeded: entry >> 32))
      let row = UInt32(truncatingIfNeeded: entry)
      let owner = costs.take(cost)
      lengths[owner] += UInt64(durations[Int(row)])
      if owner == shard.number - 1 { rows.append(row) }
    }
    var fingerprint = Fingerprint()
    durations.withUnsafeBytes { fingerprint.add($0) }
    self.shard = shard
    self.fingerprint = fingerprint
    self.rows = rows
    milliseconds = lengths[shard.number - 1]
    largest = lengths.max() ?? 0
    total = durations.reduce(0) { $0 + UInt64($1) }
  }
}
