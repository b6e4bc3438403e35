/// Durations up to two minutes, counted to the millisecond.
public struct DurationDistribution: Hashable, Sendable {
  private static let limit = 120_000

  /// As many as have been needed: of most calls few.
  private var counts: [Int] = []
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
