import AudioGraph

/// The lag of soxr's live converter behind the exact count, measured once for each ratio.
enum BlockConverterDelay {
  private struct Ratio: Hashable {
    let input: Int
    let output: Int
  }

  // Enough for the library's block stages to have met in every phase that matters (12 s at 8 kHz, the longest stages);
  // the margin covers the effect of later phases.
  private static let measuredSamples = 100_000
  private static let measured = Guarded<[Ratio: Int]>([:])

  /// Returns the most samples per channel that are missing from floor(in x L / M), for any chunks.
  ///
  /// Fed sample by sample, so that the moment just before each block is seen. 1 ms is added for two block stages that
  /// beat against each other over minutes.
  static func largestDeficit(from inputRate: Int, to outputRate: Int) throws(ResamplingError) -> Int {
    var counter = PhaseCounter(from: inputRate, to: outputRate)
    let ratio = Ratio(input: counter.inputPerCycle, output: counter.outputPerCycle)
    if let known = measured.withLock({ $0[ratio] }) { return known + outputRate / 1_000 }
    let converter = try BlockConverter(from: inputRate, to: outputRate, channelCount: 1, purpose: .live)
    defer { converter.delete() }
    let capacity = 65_536
    let scratch = UnsafeMutablePointer<Float>.allocate(capacity: capacity)
    defer { scratch.deallocate() }
    var (silence, given, deficit): (Float, Int, Int) = (0, 0, 0)
    for _ in 0..<measuredSamples {
      given += converter.convert(&silence, inputCount: 1, output: scratch, capacity: capacity)
      _ = counter.outputCount(forInput: 1)
      deficit = max(deficit, counter.outputTotal - given)
    }
    measured.withLock { $0[ratio] = deficit }
    return deficit + outputRate / 1_000
  }
}
