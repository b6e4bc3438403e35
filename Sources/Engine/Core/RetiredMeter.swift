/// A meter that has left the graph, and may be in the plan that runs for some ticks more, or be so only after some:
/// where edits follow one another, the audio thread may take a plan that the next one has replaced already.
struct RetiredMeter<Meter> {
  private let meter: Meter
  private let tick: Int
  private var hasGiven = false
  /// Whether nothing will come of it any more.
  private(set) var isGone = false

  /// A plan that has not been taken after so many ticks never is.
  private static var patience: Int { 100 }

  /// - Parameter tick: the first one of which nobody has asked it.
  init(_ meter: Meter, tick: Int) {
    self.meter = meter
    self.tick = tick
  }

  /// What it measured in a tick; ticks are asked for in order.
  mutating func value<Value>(atTick tick: Int, _ read: (Meter) -> Value?) -> Value? {
    guard let value = read(meter) else {
      isGone = hasGiven || tick >= self.tick + Self.patience
      return nil
    }
    hasGiven = true
    return value
  }
}
