/// Delay from the sources to a step's outputs, in samples per channel, while a plan takes over and afterwards.
struct PlanDelay: BitwiseCopyable {
  /// Delay of the path that is heard before the crossfade, which is the old one, in samples per channel.
  let warmingUp: Int
  /// Delay of the newest path that is heard in the crossfade, and of the only one after it, in samples per channel.
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
