/// Says of one packet after another whether it is lost.
///
/// A packet takes one step of the stream, whatever is asked of it: what a link loses under one condition does not
/// depend on how long it was under another.
struct LossProcess {
  private var random: RandomStream
  /// The Gilbert-Elliott state; nil before the first packet.
  private var isBad: Bool?

  init(random: RandomStream) { self.random = random }

  /// Whether the way is bad at the newest packet.
  var isInBurst: Bool { isBad == true }

  /// The same where another process says whether the way is bad, which goes on from there.
  mutating func isNextLost(_ model: GilbertElliott, whileBad isBad: Bool) -> Bool {
    let step = random.unit()
    self.isBad = isBad
    return Self.isLost(model, isBad: isBad, step)
  }

  mutating func isNextLost(_ model: LossModel) -> Bool {
    let step = random.unit()
    switch model {
    case .none: return false
    case .bernoulli(let probability): return step < probability
    case .gilbertElliott(let model):
      // The first packet finds the states in their long-run shares: a short run has the same mean as a long one.
      let isBadNow =
        switch isBad {
        case nil: step < model.meanBadRate
        case true?: step >= model.badToGood
        case false?: step < model.goodToBad
        }
      isBad = isBadNow
      return Self.isLost(model, isBad: isBadNow, step)
    }
  }

  private static func isLost(_ model: GilbertElliott, isBad: Bool, _ step: Double) -> Bool {
    var more = RandomStream(seed: step.bitPattern)
    return more.chance(isBad ? model.lossWhenBad : model.lossWhenGood)
  }
}
