/// Which packets a link loses.
public enum LossModel: Hashable, Sendable {
  /// None.
  case none
  /// Each with the same probability, whatever happened to the one before.
  case bernoulli(probability: Double)
  /// In bursts.
  case gilbertElliott(GilbertElliott)

  /// The share of packets lost in the long run, 0...1.
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
