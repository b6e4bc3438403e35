/// Histogram of delays with fixed bounds, for monitoring.
///
/// Bounds that never change let the counts of several relays, and of several times, be added.
package struct LatencyHistogram: Hashable, Sendable {
  /// Upper bound of each bucket in nanoseconds, ascending. A further bucket has the longer delays.
  package let bounds: [Int]
  /// Sum of all delays, in nanoseconds.
  package private(set) var sumNanoseconds = 0
  /// Delays of each bucket; one more than bounds.
  private var counts: [Int]

  /// Creates an empty histogram.
  package init(bounds: [Int]) {
    precondition(zip(bounds, bounds.dropFirst()).allSatisfy(<), "the bounds of a histogram ascend")
    self.bounds = bounds
    counts = [Int](repeating: 0, count: bounds.count + 1)
  }

  /// Number of delays.
  package var count: Int { counts.reduce(0, +) }

  /// Number of delays up to each bound.
  package var countsUpToBounds: [Int] {
    var sum = 0
    return counts.dropLast().map { count in
      sum += count
      return sum
    }
  }

  /// Adds the delays of a histogram with the same bounds.
  package mutating func add(_ other: LatencyHistogram) {
    precondition(bounds == other.bounds, "histograms with different bounds cannot be added")
    for index in counts.indices { counts[index] += other.counts[index] }
    sumNanoseconds += other.sumNanoseconds
  }

  /// Counts a delay, several times if `count` says so; a negative one counts as 0. A delay at a bound is within its
  /// bucket. O(number of bounds).
  package mutating func add(nanoseconds: Int, count: Int = 1) {
    counts[bounds.firstIndex { nanoseconds <= $0 } ?? bounds.count] += count
    sumNanoseconds += count * max(0, nanoseconds)
  }
}
