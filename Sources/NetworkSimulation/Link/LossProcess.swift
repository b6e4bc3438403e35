import Platform

/// Determines for one packet after another whether it is lost.
///
/// A packet takes one step of the stream, whatever the model. Losses under one condition do not depend on the time
/// spent under another.
struct LossProcess {
  private var random: RandomStream
  /// The Gilbert-Elliott state; nil before the first packet.
  private var isBad: Bool?

  init(random: RandomStream) { self.random = random }

  /// Whether the path is bad at the newest packet.
  var isInBurst: Bool { isBad == true }

  /// Returns whether the next packet is lost, if another process determines whether the path is bad; this process
  /// continues from there.
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
      // The first packet finds the states in their long-run shares, so that a short run has the same mean as a long
      // one.
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
