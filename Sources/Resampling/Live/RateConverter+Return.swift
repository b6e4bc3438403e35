import AudioGraph

extension RateConverter {
  /// Returns the `lead` that a converter back to a graph's rate needs to give every frame of the graph its exact count.
  ///
  /// A frame of P samples gives floor(P L / M) in the forward conversion, of which only whole blocks may come back. At
  /// every frame, at most this many samples of the graph are then missing from P, whatever the stream's beginning.
  ///
  /// - Parameters:
  ///   - graphRate: Rate of the graph, in Hz; its frames follow `FrameSchedule`.
  ///   - rate: Rate of the observer, in Hz.
  ///   - samplesPerBlock: Samples per channel that the observer gets at a time; nil if it gets the samples of each
  ///     frame.
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
