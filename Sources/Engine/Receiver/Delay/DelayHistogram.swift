/// How often packets took how long, in bins of a millisecond; what is long ago counts less and less.
///
/// Instead of making every bin smaller at each packet, each packet counts a little more than the one before it.
/// Real-time: wait-free; `add` moves `binCount` numbers when a packet was faster than all before it.
struct DelayHistogram: ~Copyable {
  /// Delays that can be told apart; longer ones count as the longest.
  static var binCount: Int { @_noLocks get { 768 } }
  /// Width of a bin, in nanoseconds.
  static var binWidth: Int { @_noLocks get { 1_000_000 } }
  /// Bins that are left free below the first packet, since the fastest one is seldom the first.
  private static var spareBins: Int { @_noLocks get { 64 } }

  private let bins: UnsafeMutablePointer<Float>
  /// Where the first bin begins, in nanoseconds.
  private var origin = 0
  private var total: Float = 0
  private var weight: Float = 1

  init() {
    bins = .allocate(capacity: DelayHistogram.binCount)
    bins.initialize(repeating: 0, count: DelayHistogram.binCount)
  }

  deinit { bins.deallocate() }

  /// True before the first packet.
  var isEmpty: Bool { @_noLocks get { total == 0 } }

  /// Counts a packet that took `delay` nanoseconds, and lets all others count `forgetting` times what they did.
  @_noLocks
  mutating func add(_ delay: Int, forgetting: Float) {
    if isEmpty { origin = delay &- DelayHistogram.spareBins &* DelayHistogram.binWidth }
    if delay < origin { moveUp(to: delay) }
    weight /= forgetting
    if weight > 1e6 { rescale() }
    let index = min(DelayHistogram.binCount &- 1, (delay &- origin) / DelayHistogram.binWidth)
    bins[index] += weight
    total += weight
  }

  /// The delay at which the time that is waited and the packets that come too late cost least together.
  ///
  /// - Parameters:
  ///   - phase: a delay that is possible; others are whole `step`s away.
  ///   - latePenalty: nanoseconds of waiting that are worth as much as all packets in time.
  ///   - current: what is waited now; less is chosen only where that saves more than `hysteresis`.
  @_noLocks
  func cheapest(phase: Int, step: Int, latePenalty: Float, current: Int, hysteresis: Float) -> Int {
    if isEmpty { return current }
    var candidate = phase &+ (origin &- phase) / step &* step
    var best = candidate
    var bestCost = Float.infinity
    var currentCost = Float.infinity
    var late = total
    var index = 0
    let end = origin &+ DelayHistogram.binCount &* DelayHistogram.binWidth &+ step
    while candidate < end {
      while index < DelayHistogram.binCount, origin &+ (index &+ 1) &* DelayHistogram.binWidth <= candidate {
        late -= bins[index]
        index &+= 1
      }
      // What is left of `total` in the last bins is rounding.
      let share = index == DelayHistogram.binCount ? 0 : max(0, late) / total
      let cost = Float(candidate &- origin) + latePenalty * share
      if cost < bestCost {
        bestCost = cost
        best = candidate
      }
      if abs(candidate &- current) < step / 2 { currentCost = cost }
      candidate &+= step
    }
    return best < current && currentCost - bestCost < hysteresis ? current : best
  }

  /// The share of packets that took longer than `delay`, 0...1.
  @_noLocks
  func share(above delay: Int) -> Float {
    if isEmpty { return 0 }
    var sum: Float = 0
    for index in 0..<DelayHistogram.binCount where origin &+ (index &+ 1) &* DelayHistogram.binWidth > delay {
      sum += bins[index]
    }
    return sum / total
  }

  /// The mean delay, in nanoseconds.
  var mean: Int {
    @_noLocks get {
      if isEmpty { return 0 }
      var sum: Float = 0
      for index in 0..<DelayHistogram.binCount { sum += bins[index] * (Float(index) + 0.5) }
      return origin &+ Int(sum / total * Float(DelayHistogram.binWidth))
    }
  }

  /// Forgets everything.
  @_noLocks
  mutating func reset() {
    for index in 0..<DelayHistogram.binCount { bins[index] = 0 }
    total = 0
    weight = 1
  }

  /// Lets the bins begin earlier; the longest delays fall together in the last bin.
  @_noLocks
  private mutating func moveUp(to delay: Int) {
    let count = DelayHistogram.binCount
    let shift = (origin &- delay) / DelayHistogram.binWidth &+ DelayHistogram.spareBins
    origin &-= shift &* DelayHistogram.binWidth
    let kept = max(0, count &- shift)
    var overflow: Float = 0
    for index in kept..<count { overflow += bins[index] }
    var index = kept &- 1
    while index >= 0 {
      bins[index &+ shift] = bins[index]
      index &-= 1
    }
    for index in 0..<min(shift, count) { bins[index] = 0 }
    bins[count &- 1] += overflow
  }

  /// Keeps the numbers small.
  @_noLocks
  private mutating func rescale() {
    total = 0
    for index in 0..<DelayHistogram.binCount {
      bins[index] /= weight
      // What counts for less than a millionth of a packet is forgotten.
      if bins[index] < 1e-6 { bins[index] = 0 }
      total += bins[index]
    }
    weight = 1
  }
}
