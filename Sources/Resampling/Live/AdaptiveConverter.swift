import AudioGraph

/// Converts live audio at a ratio that moves: between two clocks that drift against each other.
///
/// The caller decides how many samples go in and how many are taken out. Output k of a start lies at input position
/// k / ratio, exactly, whatever the chunks.
///
/// Shape: interleaved Float32, 1 to 8 channels; every count is samples per channel.
/// Thread: made on the control thread, used by one thread at a time.
/// Real-time: all calls but init are wait-free.
package struct AdaptiveConverter: ~Copyable, @unchecked Sendable {
  // SAFETY (@unchecked Sendable): owned by one value that cannot be copied; every mutation needs exclusive access.

  /// Input samples beyond an output's position that the filter needs, at ratios of 1 and more.
  package let lookAhead: Int
  /// Channels of input and output.
  package let channelCount: Int
  private let library: SincConverter
  private var ratio: Double

  /// Creates a converter with a ratio of 1.
  ///
  /// - Throws: `ResamplingError` for another channel count, or no memory.
  package init(channelCount: Int, quality: SincQuality) throws(ResamplingError) {
    guard AudioFormat.channelCounts.contains(channelCount) else { throw .unsupportedChannelCount(channelCount) }
    let library = try SincConverter(ratio: 1, channelCount: channelCount, quality: quality)
    self.library = library
    self.channelCount = channelCount
    lookAhead = library.lookAhead()
    ratio = 1
  }

  deinit { library.delete() }

  /// Sets the ratio of output rate to input rate for the samples from now on, 1/256 to 256.
  @_noLocks
  package mutating func setRatio(_ ratio: Double) {
    self.ratio = ratio
    library.setRatio(ratio)
  }

  /// Forgets all input: the next output lies at the first sample of the next input.
  @_noLocks
  package mutating func reset() {
    library.reset()
    library.setRatio(ratio)
  }

  /// Takes input and gives output, as far as both reach.
  ///
  /// - Returns: Samples taken and given. Taken samples without an output wait in the library.
  @_noLocks
  package mutating func convert(
    _ input: UnsafePointer<Float>, inputCount: Int, output: UnsafeMutablePointer<Float>, capacity: Int
  ) -> (taken: Int, given: Int) {
    library.convert(input, inputCount: inputCount, output: output, capacity: capacity, ratio: ratio)
  }
}
