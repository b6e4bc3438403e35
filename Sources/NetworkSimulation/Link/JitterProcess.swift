/// Says of one packet after another what its jitter is. A packet takes one step of the stream, whatever the model.
struct JitterProcess {
  private var random: RandomStream
  private var traceIndex = 0
  /// What entries are taken from; another begins with its first.
  private var trace: DelayTrace?

  init(random: RandomStream) { self.random = random }

  /// Nanoseconds to add to the delay, below 0 for uniform jitter only; nil = a trace says that the packet is lost.
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
      // As many numbers as it takes, from the packet's own.
      var more = RandomStream(seed: step.bitPattern)
      // An hour bounds what a distribution without bounds may do to an integer.
      return Int(min(more.gamma(shape: shape, scale: mean / .nanoseconds(1) / shape), 3600e9).rounded())
    case .trace(let trace):
      traceIndex = trace == self.trace && traceIndex < trace.count ? traceIndex : 0
      self.trace = trace
      defer { traceIndex += 1 }
      return trace.nanoseconds[traceIndex]
    }
  }
}
