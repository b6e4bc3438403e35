/// Delay from the sources to a step's outputs, in samples per channel, while a plan takes over and afterwards.
struct PlanDelay: BitwiseCopyable {
  /// Of the way that is heard before the crossfade: the old one.
  let warmingUp: Int
  /// Of the newest way that is heard in the crossfade, and of the only one behind it.
  let settled: Int

  init(warmingUp: Int, settled: Int) {
    self.warmingUp = warmingUp
    self.settled = settled
  }

  init(_ delay: Int) { self.init(warmingUp: delay, settled: delay) }

  @_noLocks
  func samples(in transition: Transition) -> Int {
    if case .warmingUp = transition { return warmingUp }
    return settled
  }
}
