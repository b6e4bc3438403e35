/// Says of one packet after another what its jitter is.
struct JitterProcess {
  private var random: RandomStream
  private var traceIndex = 0

  init(random: RandomStream) { self.random = random }

  /// Nanoseconds to add to the delay, below 0 for uniform jitter only; nil = a trace says that the packet is lost.
  mutating func next(_ model: JitterModel) -> Int? {
    switch model {
    case .none: return 0
    case .uniform(let bound):
      let nanoseconds = bound.wholeNanoseconds
      return Int.random(in: -nanoseconds...nanoseconds, using: &random)
    case .gamma(let mean, let deviation):
      let shape = JitterModel.gammaShape(mean: mean, standardDeviation: deviation)
      // An hour bounds what a distribution without bounds may do to an integer.
      return Int(min(random.gamma(shape: shape, scale: mean / .nanoseconds(1) / shape), 3600e9).rounded())
    case .trace(let trace):
      traceIndex = traceIndex < trace.count ? traceIndex : 0
      defer { traceIndex += 1 }
      return trace.nanoseconds[traceIndex]
    }
  }
}
