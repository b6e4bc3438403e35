/// Durations up to two seconds, counted to the millisecond.
public struct DurationDistribution: Hashable, Sendable {
  private var counts = [Int](repeating: 0, count: 2_000)
  private var total = 0
  private var sum = 0.0

  init() {}

  /// Durations counted.
  public var count: Int { total }

  /// The mean in milliseconds; 0 of none.
  public var meanMilliseconds: Double { total == 0 ? 0 : sum / Double(total) }

  /// The shortest duration, to the millisecond, that at least this share does not exceed; 0 of none.
  public func milliseconds(atQuantile quantile: Double) -> Double {
    let wanted = max(1, Int((Double(total) * quantile).rounded(.up)))
    var seen = 0
    for (milliseconds, count) in counts.enumerated() {
      seen += count
      if seen >= wanted { return Double(milliseconds) }
    }
    return total == 0 ? 0 : Double(counts.count)
  }

  mutating func add(milliseconds: Double) {
    counts[min(counts.count - 1, max(0, Int(milliseconds.rounded(.up))))] += 1
    total += 1
    sum += milliseconds
  }
}
