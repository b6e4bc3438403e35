/// One line of the report.
struct Figure {
  /// What is measured, subject first: "ring: token, uncontended".
  let name: String
  /// The unit of the values: "ns", "µs", "s", "MB".
  let unit: String
  /// The median of ours; what is lower is better.
  let median: Double
  /// 99 of 100 samples took no longer; nil for a single value.
  var p99: Double?
  /// The longest.
  var maximum: Double?
  /// Share of the 10 ms that a frame has, for work that each frame costs.
  var load: Double?
  /// Calls that allocate memory, during one pass after the first.
  var allocations: Int?
  /// The twin's median.
  var twin: Double?
  /// What the twin is.
  var twinName: String?
  /// The median of the pairs' ratios, or the value itself where there is a target for it; nil where neither.
  var ratio: Double?
  /// The most that the ratio, or without a twin the median, is meant to be.
  var target: Double?

  /// True where there is no target or it is kept.
  var keepsTarget: Bool { target.map { (twin == nil ? median : ratio ?? 0) <= $0 } ?? true }
}
