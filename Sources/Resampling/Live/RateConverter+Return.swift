import AudioGraph

extension RateConverter {
  /// The `lead` that a converter back to a graph's rate needs, so that every frame of the graph gets its exact count.
  ///
  /// A frame of P samples gives floor(P L / M) on the way out, of which only whole blocks may come back. What is then
  /// still missing from P is at most this many samples of the graph, at every frame, wherever the stream began.
  ///
  /// - Parameters:
  ///   - graphRate: rate of the graph, in Hz, whose frames follow `FrameSchedule`.
  ///   - rate: rate of the observer, in Hz.
  ///   - samplesPerBlock: samples per channel that the observer gets at a time; nil where it gets what each frame gave.
  public static func returnLead(graphRate: Int, observerRate rate: Int, samplesPerBlock: Int? = nil) -> Int {
    let framesPerSecond = FrameSchedule.framesPerSecond
    // At multiples of 100 Hz each frame converts without a remainder, and blocks drift in steps of the common divisor.
    let isEven = graphRate % framesPerSecond == 0 && rate % framesPerSecond == 0
    let waiting = samplesPerBlock.map { block in
      block - (isEven ? greatestCommonDivisor(rate / framesPerSecond, block) : 1)
    }
    let missing = (waiting ?? 0) + (isEven ? 0 : 1)
    return (missing * graphRate + rate - 1) / rate
  }
}
