extension DelayHistogram {
  /// What the search for a delay found.
  struct Choice: BitwiseCopyable {
    /// The delay that costs least, in nanoseconds.
    let best: Int
    /// What it saves against the delay that there is, in nanoseconds of waiting.
    let saving: Float
  }

  /// The delay at which the wait and the packets that come too late for it cost least together.
  ///
  /// - Parameters:
  ///   - phase: one delay that is possible; the others are whole 10 ms away.
  ///   - current: the delay that there is.
  ///   - latePenalty: nanoseconds of waiting that are worth as much as all packets in time.
  @_noLocks
  func cheapest(phase: Int, current: Int, latePenalty: Float) -> Choice {
    let step = 10_000_000
    var candidate = phase &+ (origin &- phase) / step &* step
    var (best, bestCost, currentCost) = (candidate, Float.infinity, Float.infinity)
    // To wait ever longer costs ever more, whoever is in time then.
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

  /// The same, to a millisecond, where packets are needed at any time from 10 ms before the delay to the delay itself,
  /// all equally often: the sender's clock is not ours, and its packets wander through our frames.
  @_noLocks
  func cheapestWandering(current: Int, latePenalty: Float) -> Choice {
    let spread = 10
    var (best, bestCost, currentCost) = (origin, Float.infinity, Float.infinity)
    // What is late at each of the newest candidates, added up; below the first bin everything is.
    var sum = Float(spread &+ 1)
    var bin = 0
    while bin < DelayHistogram.binCount &+ spread, Float(bin &* DelayHistogram.binWidth) < bestCost {
      sum += lateShare(bin) - lateShare(bin &- spread &- 1)
      // Rounding must not make what is sure to be in time cost anything.
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
