import Platform

/// Draws the jitter of one packet after another. A packet takes one step of the stream, whatever the model.
struct JitterProcess {
  private var random: RandomStream
  private var traceIndex = 0
  /// The trace that entries are taken from; another trace starts with its first entry.
  private var trace: DelayTrace?

  init(random: RandomStream) { self.random = random }

  /// Returns the nanoseconds to add to the delay, below 0 for uniform jitter only; nil if a trace marks the packet as
  /// lost.
  mutating func next(_ model: JitterModel) -> Int? {
    let step = random.unit()
    if case .trace = model {} else { trace = nil }
    switch model {
    case .none: return 0
    case .uniform(let bound):
      let nanoseconds = bound.wholeNanoseconds
      return min(Int(step * Double(2 * nanoseconds + 1)) - nanoseconds, nanoseconds)
    case .gamma(let mean, let deviation):
      let shape = JitterModel.gammaShape(mean: mean, standardDeviation: deviation)
      // As many numbers as needed, from the packet's own stream.
      var more = RandomStream(seed: step.bitPattern)
      // An hour limits the unbounded distribution, so that an integer can hold it.
      return Int(min(more.gamma(shape: shape, scale: mean / .nanoseconds(1) / shape), 3600e9).rounded())
    case .trace(let trace):
      traceIndex = trace == self.trace && traceIndex < trace.count ? traceIndex : 0
      self.trace = trace
      defer { traceIndex += 1 }
      return trace.nanoseconds[traceIndex]
    }
  }
}
