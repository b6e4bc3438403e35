/// Histogram of the packets' delays, in bins of a millisecond; older packets count less and less.
///
/// Instead of shrinking every bin at each packet, it counts each packet a little more than the one before. Real-time:
/// wait-free; each packet reads the bins in use.
struct DelayHistogram: ~Copyable {
  /// Number of delays that can be told apart; longer ones count as the longest. It exceeds any wait for a packet. So a
  /// path that becomes short at once is not mistaken for one that was never long.
  static var binCount: Int { @_noLocks get { 4_096 } }
  /// Width of a bin, in nanoseconds.
  static var binWidth: Int { @_noLocks get { 1_000_000 } }
  /// Bins left free below the first packet, since the fastest packet is seldom the first.
  private static var spareBins: Int { @_noLocks get { 64 } }
  /// An event that has not happened for n packets is taken to have a probability of at most this over n. By chance that
  /// is wrong once in e^10. So an improved network is believed within seconds; forgetting would take a minute.
  private static var unseenLimit: Float { @_noLocks get { 10 } }

  // Only bins below `end` have been written: few networks need more than a page.
  private let bins: UnsafeMutablePointer<Float>
  /// Number of the last packet in each bin.
  private let newest: UnsafeMutablePointer<Int32>
  /// Share of packets in each bin and above, 0...1.
  private let late: UnsafeMutablePointer<Float>
  /// Begin of the first bin, in nanoseconds.
  private(set) var origin = 0
  private var total: Float = 0
  private var weight: Float = 1
  private var packetNumber: Int32 = 0
  /// End of the bins in use: no packet is in this bin or above.
  private(set) var end = 0

  init() {
    bins = .allocate(capacity: DelayHistogram.binCount)
    newest = .allocate(capacity: DelayHistogram.binCount)
    late = .allocate(capacity: DelayHistogram.binCount)
  }

  deinit {
    bins.deallocate()
    newest.deallocate()
    late.deallocate()
  }

  /// Whether no packet has been counted.
  var isEmpty: Bool { @_noLocks get { total == 0 } }

  /// Returns the share of packets that take longer than `bin` whole bins from `origin`, 0...1.
  @_noLocks
  func lateShare(_ bin: Int) -> Float {
    if bin >= end { return 0 }
    return bin < 0 ? 1 : late[bin]
  }

  /// Counts a packet, and multiplies the weights of all others by `forgetting`.
  ///
  /// - Parameters:
  ///   - delay: delay of the packet, in nanoseconds.
  ///   - forgetting: factor of the other packets' weights.
  ///   - expected: packets that are taken to have been in time while fewer have come, so that the first few do not
  ///     decide everything.
  ///   - least: least delay of the newest packets; bins that end below `delay` begin there.
  @_noLocks
  mutating func add(_ delay: Int, forgetting: Float, expected: Float, least: Int) {
    if isEmpty { origin = delay &- DelayHistogram.spareBins &* DelayHistogram.binWidth }
    if delay < origin { moveUp(to: delay) }
    if delay &- origin >= DelayHistogram.binCount &* DelayHistogram.binWidth { moveDown(to: least) }
    weight /= forgetting
    packetNumber &+= 1
    if weight > 1e6 || packetNumber == .max { rescale() }
    let index = min(DelayHistogram.binCount &- 1, (delay &- origin) / DelayHistogram.binWidth)
    if index >= end { extend(to: index &+ 1) }
    bins[index] += weight
    newest[index] = packetNumber
    total += weight
    refresh(expected)
  }

  /// Adds a time to the delays of all packets.
  @_noLocks
  mutating func shift(by nanoseconds: Int) { origin &+= nanoseconds }

  /// Forgets everything.
  @_noLocks
  mutating func reset() {
    total = 0
    weight = 1
    packetNumber = 0
    end = 0
  }

  /// Extends the bins in use by empty ones.
  @_noLocks
  private mutating func extend(to newEnd: Int) {
    for index in end..<newEnd {
      bins[index] = 0
      newest[index] = 0
    }
    end = newEnd
  }

  /// Sums the bins from above.
  @_noLocks
  private mutating func refresh(_ expected: Float) {
    let all = max(total, weight * expected)
    var sum: Float = 0
    var last: Int32 = 0
    var index = end &- 1
    while index >= 0 {
      sum += bins[index]
      last = max(last, newest[index])
      late[index] = min(sum / all, DelayHistogram.unseenLimit / Float(packetNumber &- last &+ 1))
      index &-= 1
    }
  }

  /// Moves the begin of the bins to an earlier delay.
  @_noLocks
  private mutating func moveUp(to delay: Int) {
    move(by: (origin &- delay) / DelayHistogram.binWidth &+ DelayHistogram.spareBins)
  }

  /// Moves the begin of the bins to a later delay, if all packets come later.
  @_noLocks
  private mutating func moveDown(to least: Int) {
    let shift = (least &- origin) / DelayHistogram.binWidth &- DelayHistogram.spareBins
    if least > origin, shift > 0 { move(by: 0 &- shift) }
  }

  /// Moves all packets up by `shift` bins. The longest delays then fall together in the last bin, or the shortest in
  /// the first.
  @_noLocks
  private mutating func move(by shift: Int) {
    origin &-= shift &* DelayHistogram.binWidth
    let (before, last) = (end, DelayHistogram.binCount &- 1)
    if shift > 0 { extend(to: min(last &+ 1, before &+ shift)) }
    for step in 0..<before {
      // From the side that they move to, so that none is met twice.
      let index = shift > 0 ? before &- 1 &- step : step
      let target = max(0, min(last, index &+ shift))
      let (weight, number) = (bins[index], newest[index])
      (bins[index], newest[index]) = (0, 0)
      bins[target] += weight
      newest[target] = max(newest[target], number)
    }
    if shift < 0 { end = max(1, before &+ shift) }
  }

  /// Keeps the numbers small.
  @_noLocks
  private mutating func rescale() {
    total = 0
    let before = end
    end = 0
    for index in 0..<before {
      bins[index] /= weight
      // Weights below a millionth of a packet are forgotten.
      if bins[index] < 1e-6 { bins[index] = 0 }
      if bins[index] > 0 { end = index &+ 1 }
      total += bins[index]
      newest[index] = max(1, newest[index] &- packetNumber &+ 1_000_000)
    }
    packetNumber = 1_000_000
    weight = 1
  }
}
