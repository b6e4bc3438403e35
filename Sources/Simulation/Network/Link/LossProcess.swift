/// Says of one packet after another whether it is lost.
struct LossProcess {
  private var random: RandomStream
  /// The Gilbert-Elliott state; nil before the first packet.
  private var isBad: Bool?

  init(random: RandomStream) { self.random = random }

  /// Whether the way is bad at the newest packet.
  var isInBurst: Bool { isBad == true }

  /// The same where another process says whether the way is bad, which goes on from there.
  mutating func isNextLost(_ model: GilbertElliott, whileBad isBad: Bool) -> Bool {
    _ = random.unit()
    self.isBad = isBad
    return random.chance(isBad ? model.lossWhenBad : model.lossWhenGood)
  }

  mutating func isNextLost(_ model: LossModel) -> Bool {
    switch model {
    case .none: return false
    case .bernoulli(let probability): return random.chance(probability)
    case .gilbertElliott(let model):
      let wasBad = isBad
      let draw = random.unit()
      // The first packet finds the states in their long-run shares: a short run has the same mean as a long one.
      let isBadNow =
        switch wasBad {
        case nil: draw < model.meanBadRate
        case true?: draw >= model.badToGood
        case false?: draw < model.goodToBad
        }
      isBad = isBadNow
      return random.chance(isBadNow ? model.lossWhenBad : model.lossWhenGood)
    }
  }
}
