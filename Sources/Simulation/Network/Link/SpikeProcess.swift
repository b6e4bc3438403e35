/// Says when a link stands still, and until when.
///
/// Spikes come from the stream in the order of time, whether a packet meets them or not, so what is sent does not move
/// them.
struct SpikeProcess {
  private var random: RandomStream
  /// The next spike, or the one under way; nil before it has been drawn.
  private var spike: Range<Int>?
  /// What the spike was drawn for; others need another.
  private var drawnFor: DelaySpikes?

  init(random: RandomStream) { self.random = random }

  /// Nanoseconds that a packet sent now waits.
  mutating func delay(_ model: DelaySpikes, nowNanoseconds now: Int) -> Int {
    if drawnFor != model {
      drawnFor = model
      spike = draw(model, after: now)
    }
    while let current = spike, current.upperBound <= now { spike = draw(model, after: current.upperBound) }
    guard let spike, spike.lowerBound <= now else { return 0 }
    return spike.upperBound - now
  }

  private mutating func draw(_ model: DelaySpikes, after end: Int) -> Range<Int> {
    let wait = min(random.exponential(mean: 1e9 / model.perSecond), 1e15)
    let size = Int.random(in: model.smallest.wholeNanoseconds...model.largest.wholeNanoseconds, using: &random)
    // At least 1 ns apart, or spikes of no size at all would never end.
    let start = end + max(1, Int(wait))
    return start..<(start + size)
  }
}
