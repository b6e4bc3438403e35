/// Addition to the delay of each packet, independent of the packet before: packets may overtake one another.
public enum JitterModel: Hashable, Sendable {
  /// No jitter.
  case none
  /// Any value from minus to plus this, equally probable. The link's delay must be at least as long; otherwise packets
  /// would arrive before they are sent.
  case uniform(plusMinus: Duration)
  /// A gamma distribution: never below 0, with a tail of late packets.
  case gamma(mean: Duration, standardDeviation: Duration)
  /// Measured delays: the first packet that meets the trace takes the first entry, and so on, from the start again
  /// after the last.
  case trace(DelayTrace)

  func validate(delay: Duration) throws(NetworkConditionsError) {
    switch self {
    case .none, .trace: break
    case .uniform(let bound):
      try validateDuration(bound, of: "a uniform jitter")
      guard bound <= delay else { throw .jitterAboveDelay(jitter: bound, delay: delay) }
    case .gamma(let mean, let deviation):
      try validateDuration(mean, of: "a gamma jitter's mean")
      try validateDuration(deviation, of: "a gamma jitter's standard deviation")
      let shape = Self.gammaShape(mean: mean, standardDeviation: deviation)
      guard shape >= 0.001, shape <= 1_000_000 else { throw .gamma(mean: mean, standardDeviation: deviation) }
    }
  }

  static func gammaShape(mean: Duration, standardDeviation: Duration) -> Double {
    let ratio = mean / standardDeviation
    return ratio * ratio
  }
}
