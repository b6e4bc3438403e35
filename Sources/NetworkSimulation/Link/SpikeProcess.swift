/// Says when a link stands still, and until when.
///
/// Spikes come from the stream in the order of time, whether a packet meets them or not, so what is sent does not move
/// them.
struct SpikeProcess {
  private let origin: RandomStream
  private var random: RandomStream
  /// The next spike, or the one under way; nil before it has been drawn.
  private var spike: Range<Int>?
  /// Where the next is counted from; nil: the first packet.
  private var start: Int?

  init(random: RandomStream, startNanoseconds start: Int?) {
    origin = random
    self.random = random
    self.start = start
  }

  /// Begins anew: from now on there are others, whatever there were.
  mutating func begin(nowNanoseconds now: Int) {
    var seeds = origin
    random = RandomStream(seed: seeds.next(), path: UInt64(bitPattern: Int64(now)))
    spike = nil
    start = now
  }

  /// Nanoseconds that a packet sent now waits.
  mutating func delay(_ model: DelaySpikes, nowNanoseconds now: Int) -> Int {
    var current = spike ?? draw(model, after: start ?? now)
    while current.upperBound <= now { current = draw(model, after: current.upperBound) }
    spike = current
    return current.lowerBound <= now ? current.upperBound - now : 0
  }

  private mutating func draw(_ model: DelaySpikes, after end: Int) -> Range<Int> {
    let wait = min(random.exponential(mean: 1e9 / model.perSecond), 1e15)
    let size = Int.random(in: model.smallest.wholeNanoseconds...model.largest.wholeNanoseconds, using: &random)
    // At least 1 ns apart, or spikes of no size at all would never end.
    let start = end + max(1, Int(wait))
    return start..<(start + size)
  }
}
