/// Loss in bursts: a link is good or bad, changes between the two from packet to packet, and loses more while it is
/// bad.
///
/// Source: Gilbert 1960, Elliott 1963; p, r, 1 - k and 1 - h in their notation.
public struct GilbertElliott: Hashable, Sendable {
  /// Probability that the link is bad at a packet after one at which it was good.
  public var goodToBad: Double
  /// Probability that the link is good at a packet after one at which it was bad.
  public var badToGood: Double
  /// Probability that a packet is lost while the link is good.
  public var lossWhenGood: Double
  /// Probability that a packet is lost while the link is bad.
  public var lossWhenBad: Double

  /// Creates a model from its four parameters; by default the good state loses nothing and the bad one everything.
  public init(goodToBad: Double, badToGood: Double, lossWhenGood: Double = 0, lossWhenBad: Double = 1) {
    self.goodToBad = goodToBad
    self.badToGood = badToGood
    self.lossWhenGood = lossWhenGood
    self.lossWhenBad = lossWhenBad
  }

  /// Creates the model that loses everything while bad and nothing while good, from its mean loss and its mean burst.
  ///
  /// - Parameters:
  ///   - meanLossRate: Mean loss, 0..<1.
  ///   - meanBurstLength: Mean number of packets lost in a row, 1 or more.
  public init(meanLossRate: Double, meanBurstLength: Double) {
    let badToGood = 1 / meanBurstLength
    self.init(goodToBad: badToGood * meanLossRate / (1 - meanLossRate), badToGood: badToGood)
  }

  /// Returns the shortest mean run, to a tenth, in which this loss (0...1) can come; nil if `burst` is not shorter.
  ///
  /// At least one packet passes between two runs. A link that loses everything has no runs.
  public static func neededBurst(meanLossRate rate: Double, insteadOf burst: Double) -> Double? {
    guard rate < 1, rate / (1 - rate) > burst * 1.000_001 else { return nil }
    return (rate / (1 - rate) * 10).rounded(.up) / 10
  }

  /// Share of packets at which the link is bad.
  public var meanBadRate: Double { goodToBad / (goodToBad + badToGood) }

  /// Share of packets lost in the long run.
  public var meanLossRate: Double { meanBadRate * lossWhenBad + (1 - meanBadRate) * lossWhenGood }

  func validate() throws(NetworkConditionsError) {
    try validateProbability(goodToBad, of: "a change from good to bad")
    try validateProbability(badToGood, of: "a change from bad to good")
    try validateProbability(lossWhenGood, of: "a loss while good")
    try validateProbability(lossWhenBad, of: "a loss while bad")
    // With both at 0, neither state is ever left, and there are no long-run shares to start with.
    guard goodToBad + badToGood > 0 else { throw .frozenStates }
  }
}
