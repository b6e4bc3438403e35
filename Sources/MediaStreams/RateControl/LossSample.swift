/// The loss at one bit rate: a mean of reports.
struct LossSample: Sendable {
  /// 0...1.
  private(set) var mean = 0.0
  private var reports = 0

  private static let leastReports = 3
  /// After so many, old reports fade: the path may have changed.
  static let mostReports = 30
  /// An outage says nothing of a bit rate.
  private static let outage = 0.9
  private static let packetsPerReport = 50.0
  private static let deviations = 3.0

  mutating func add(_ reported: Double) {
    guard reported < Self.outage else { return }
    reports = min(Self.mostReports, reports + 1)
    mean += (reported - mean) / Double(reports)
  }

  /// True where this loss is significantly more than the other: the test of two proportions. It is asked anew with each
  /// report and losses come in bursts; both are why it wants 3 standard deviations.
  func exceeds(_ other: LossSample) -> Bool {
    guard min(reports, other.reports) >= Self.leastReports, mean > other.mean else { return false }
    let weights = (Self.packetsPerReport * Double(reports), Self.packetsPerReport * Double(other.reports))
    let pooled = (mean * weights.0 + other.mean * weights.1) / (weights.0 + weights.1)
    let deviation = (pooled * (1 - pooled) * (1 / weights.0 + 1 / weights.1)).squareRoot()
    return mean - other.mean > Self.deviations * deviation
  }
}
