extension DelayHistogram {
  /// Result of the search for a delay.
  struct Choice: BitwiseCopyable {
    /// Delay with the least cost, in nanoseconds.
    let best: Int
    /// Saving against the present delay, in nanoseconds of waiting.
    let saving: Float
  }

  /// Returns the delay with the least sum of two costs: the wait, and the packets that come too late for it.
  ///
  /// - Parameters:
  ///   - phase: a possible delay; the others are whole 10 ms away.
  ///   - current: the present delay.
  ///   - latePenalty: nanoseconds of waiting that are worth as much as all packets in time.
  @_noLocks
  func cheapest(phase: Int, current: Int, latePenalty: Float) -> Choice {
    let step = 10_000_000
    var candidate = phase &+ (origin &- phase) / step &* step
    var (best, bestCost, currentCost) = (candidate, Float.infinity, Float.infinity)
    // A longer wait costs more, even if all packets are in time.
    while Float(candidate &- origin) < bestCost || candidate <= current {
      // A packet counts as late as the latest in its bin.
      let share = lateShare((candidate &- origin) / DelayHistogram.binWidth)
      let cost = Float(candidate &- origin) + latePenalty * share
      if cost < bestCost { (best, bestCost) = (candidate, cost) }
      if abs(candidate &- current) <= step / 2 { currentCost = cost }
      candidate &+= step
    }
    return Choice(best: best, saving: currentCost - bestCost)
  }

  /// Returns the delay with the least cost, to a millisecond, if the sender's clock differs from the receiver's. Its
  /// packets then wander through the receiver's frames: they are needed at any time from 10 ms before the delay to the
  /// delay itself, all equally often.
  @_noLocks
  func cheapestWandering(current: Int, latePenalty: Float) -> Choice {
    let spread = 10
    var (best, bestCost, currentCost) = (origin, Float.infinity, Float.infinity)
    // Sum of the late shares at the newest candidates; below the first bin, all packets are late.
    var sum = Float(spread &+ 1)
    var bin = 0
    while bin < DelayHistogram.binCount &+ spread, Float(bin &* DelayHistogram.binWidth) < bestCost {
      sum += lateShare(bin) - lateShare(bin &- spread &- 1)
      // Rounding must not add a cost to a delay at which packets are certain to be in time.
      let share = bin &- spread >= end ? 0 : max(0, sum) / Float(spread &+ 1)
      let cost = Float(bin &* DelayHistogram.binWidth) + latePenalty * share
      let candidate = origin &+ bin &* DelayHistogram.binWidth
      if cost < bestCost { (best, bestCost) = (candidate, cost) }
      if abs(candidate &- current) <= DelayHistogram.binWidth / 2 { currentCost = cost }
      bin &+= 1
    }
    return Choice(best: best, saving: currentCost - bestCost)
  }
}
