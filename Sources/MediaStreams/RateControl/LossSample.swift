/// Loss at one bit rate: a mean of reports.
struct LossSample: Sendable {
  /// Mean of the reported loss, 0...1.
  private(set) var mean = 0.0
  private var reports = 0

  private static let leastReports = 3
  /// Number of reports after which old ones fade, since the path may have changed.
  static let mostReports = 30
  /// Loss of an outage, which says nothing about a bit rate.
  private static let outage = 0.9
  private static let packetsPerReport = 50.0
  private static let deviations = 3.0

  mutating func add(_ reported: Double) {
    guard reported < Self.outage else { return }
    reports = min(Self.mostReports, reports + 1)
    mean += (reported - mean) / Double(reports)
  }

  /// Returns whether this loss is significantly more than the other, by the test of two proportions. Each report
  /// repeats the test, and losses come in bursts; both are why it requires 3 standard deviations.
  func exceeds(_ other: LossSample) -> Bool {
    guard min(reports, other.reports) >= Self.leastReports, mean > other.mean else { return false }
    let weights = (Self.packetsPerReport * Double(reports), Self.packetsPerReport * Double(other.reports))
    let pooled = (mean * weights.0 + other.mean * weights.1) / (weights.0 + weights.1)
    let deviation = (pooled * (1 - pooled) * (1 / weights.0 + 1 / weights.1)).squareRoot()
    return mean - other.mean > Self.deviations * deviation
  }
}
