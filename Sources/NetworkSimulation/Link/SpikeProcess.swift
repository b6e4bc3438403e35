import Platform

/// Determines when a link stalls, and until when.
///
/// Spikes come from the stream in the order of time, whether a packet meets them or not, so packets do not move them.
struct SpikeProcess {
  private let origin: RandomStream
  private var random: RandomStream
  /// The next spike, or the one under way; nil before it has been drawn.
  private var spike: Range<Int>?
  /// Time from which the next spike is counted; nil for the time of the first packet.
  private var start: Int?

  init(random: RandomStream, startNanoseconds start: Int?) {
    origin = random
    self.random = random
    self.start = start
  }

  /// Restarts the spikes: from now on they are new ones, independent of earlier spikes.
  mutating func begin(nowNanoseconds now: Int) {
    var seeds = origin
    random = RandomStream(seed: seeds.next(), path: UInt64(bitPattern: Int64(now)))
    spike = nil
    start = now
  }

  /// Returns the nanoseconds that a packet sent now waits.
  mutating func delay(_ model: DelaySpikes, nowNanoseconds now: Int) -> Int {
    var current = spike ?? draw(model, after: start ?? now)
    while current.upperBound <= now { current = draw(model, after: current.upperBound) }
    spike = current
    return current.lowerBound <= now ? current.upperBound - now : 0
  }

  private mutating func draw(_ model: DelaySpikes, after end: Int) -> Range<Int> {
    let wait = min(random.exponential(mean: 1e9 / model.perSecond), 1e15)
    let size = Int.random(in: model.smallest.wholeNanoseconds...model.largest.wholeNanoseconds, using: &random)
    // At least 1 ns apart; otherwise spikes of size 0 would never end.
    let start = end + max(1, Int(wait))
    return start..<(start + size)
  }
}
