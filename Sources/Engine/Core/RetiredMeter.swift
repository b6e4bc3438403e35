/// A meter that has left the graph. It may be in the running plan for some more ticks, or enter it only after some
/// ticks. If edits follow one another, the audio thread may take a plan that the next plan has already replaced.
struct RetiredMeter<Meter> {
  private let meter: Meter
  private let tick: Int
  private var hasGiven = false
  /// Whether no more values will come from the meter.
  private(set) var isGone = false

  /// Number of ticks after which a plan that has not been taken is never taken.
  private static var patience: Int { 100 }

  /// - Parameters:
  ///   - meter: The meter.
  ///   - tick: First tick that has not been read from the meter.
  init(_ meter: Meter, tick: Int) {
    self.meter = meter
    self.tick = tick
  }

  /// Returns the value that the meter measured in a tick; ticks are requested in order.
  mutating func value<Value>(atTick tick: Int, _ read: (Meter) -> Value?) -> Value? {
    guard let value = read(meter) else {
      isGone = hasGiven || tick >= self.tick + Self.patience
      return nil
    }
    hasGiven = true
    return value
  }
}
