/// Distribution of durations up to two minutes, counted to the millisecond.
public struct DurationDistribution: Hashable, Sendable {
  private static let limit = 120_000

  /// Counts by milliseconds, only as many as needed: few in most calls.
  private var counts: [Int] = []
  private var total = 0
  private var sum = 0.0

  init() {}

  /// Number of durations counted.
  public var count: Int { total }

  /// Mean in milliseconds; 0 without durations.
  public var meanMilliseconds: Double { total == 0 ? 0 : sum / Double(total) }

  /// Returns the shortest duration, to the millisecond, that at least this share does not exceed; 0 without durations.
  public func milliseconds(atQuantile quantile: Double) -> Double {
    let wanted = max(1, Int((Double(total) * quantile).rounded(.up)))
    var seen = 0
    for (milliseconds, count) in counts.enumerated() {
      seen += count
      if seen >= wanted { return Double(milliseconds) }
    }
    return 0
  }

  mutating func add(milliseconds: Double) {
    let index = min(Self.limit - 1, max(0, Int(milliseconds.rounded(.up))))
    if index >= counts.count { counts += [Int](repeating: 0, count: index + 1 - counts.count) }
    counts[index] += 1
    total += 1
    sum += milliseconds
  }
}
