import TestSupport
import Testing

@testable import BatchProcessing

@Suite("ShardPlan", .timeLimit(.minutes(10)))
struct ShardPlanTests {
  /// Lengths from 1 s to 1 h with a heavy tail: Pareto's law with the exponent 1.
  private static func lengths(_ count: Int, seed: UInt64) -> [UInt32] {
    var generator = SeededGenerator(seed: seed)
    return (0..<count).map { _ in
      let share = Double(generator.next() >> 11) / Double(1 << 53)
      return UInt32(min(3_600_000, 1_000 / max(share, 1e-9)))
    }
  }

  private static func plans(_ lengths: [UInt32], _ count: Int) -> [ShardPlan] {
    (1...count).map { ShardPlan(durations: lengths, shard: Shard(number: $0, count: count)) }
  }

  @Test("every row is in one shard", arguments: [1, 2, 16, 100])
  func partition(count: Int) {
    let lengths = Self.lengths(1_000, seed: 1)
    let rows = Self.plans(lengths, count).flatMap(\.rows)
    #expect(rows.sorted() == Array(0..<1_000))
  }

  @Test(
    "the largest of 16 shards is within 5 % of the mean, or one file long", .shows("batch: balance"),
    arguments: [1, 2, 3, 4, 5] as [UInt64])
  func balance(seed: UInt64) {
    for rows in [100, 1_000, 20_000] {
      let lengths = Self.lengths(rows, seed: seed)
      let sums = Self.plans(lengths, 16).map(\.milliseconds)
      let mean = Double(lengths.reduce(0) { $0 + UInt64($1) }) / 16
      let largest = Double(sums.max()!)
      #expect(
        largest <= 1.05 * mean || largest == Double(lengths.max()!), "seed \(seed), \(rows) rows: \(largest / mean)")
    }
  }

  @Test("a shard begins with its longest file")
  func order() {
    let lengths: [UInt32] = [5_000, 1_000, 9_000, 9_000, 2_000]
    #expect(ShardPlan(durations: lengths, shard: .whole).rows == [2, 3, 0, 4, 1])
    // By hand: 9 | 9, then 9+5 | 9, then 14 | 11, then 14 | 12.
    #expect(ShardPlan(durations: lengths, shard: Shard(number: 1, count: 2)).rows == [2, 0])
    #expect(ShardPlan(durations: lengths, shard: Shard(number: 2, count: 2)).rows == [3, 4, 1])
  }

  @Test("files without a length are spread, too")
  func unknownLengths() {
    let counts = Self.plans(Array(repeating: 0, count: 1_600), 16).map(\.rows.count)
    #expect(counts == Array(repeating: 100, count: 16))
  }
}
