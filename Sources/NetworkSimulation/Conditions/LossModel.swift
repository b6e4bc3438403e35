/// Model of the packets that a link loses.
public enum LossModel: Hashable, Sendable {
  /// No loss.
  case none
  /// The same probability for each packet, independent of the packet before.
  case bernoulli(probability: Double)
  /// Loss in bursts.
  case gilbertElliott(GilbertElliott)

  /// Share of packets lost in the long run, 0...1.
  public var meanLossRate: Double {
    switch self {
    case .none: 0
    case .bernoulli(let probability): probability
    case .gilbertElliott(let model): model.meanLossRate
    }
  }

  func validate() throws(NetworkConditionsError) {
    switch self {
    case .none: break
    case .bernoulli(let probability): try validateProbability(probability, of: "a loss")
    case .gilbertElliott(let model): try model.validate()
    }
  }
}
