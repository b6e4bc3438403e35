import AudioGraph
import CSampleRate

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

  /// Signal to noise and work of the conversion.
  package enum Quality: Hashable, Sendable {
    /// SRC_SINC_FASTEST: 97 dB, 80 % of the bandwidth.
    case fast
    /// SRC_SINC_MEDIUM_QUALITY: 121 dB, 90 % of the bandwidth.
    case high
  }

  /// Input samples beyond an output's position that the filter needs, at ratios of 1 and more.
  package let lookAhead: Int
  /// Channels of input and output.
  package let channelCount: Int
  private let state: OpaquePointer
  private var ratio = 1.0

  /// Creates a converter with a ratio of 1.
  ///
  /// - Throws: `ResamplingError` for another channel count, or no memory.
  package init(channelCount: Int, quality: Quality) throws(ResamplingError) {
    guard AudioFormat.channelCounts.contains(channelCount) else { throw .unsupportedChannelCount(channelCount) }
    var code: Int32 = 0
    let kind = quality == .fast ? SRC_SINC_FASTEST : SRC_SINC_MEDIUM_QUALITY
    guard let state = src_new(Int32(kind), Int32(channelCount), &code) else {
      throw .library(String(cString: src_strerror(code)))
    }
    self.state = state
    self.channelCount = channelCount
    lookAhead = Self.lookAhead(state, channelCount)
  }

  deinit { src_delete(state) }

  /// Sets the ratio of output rate to input rate for the samples from now on, 1/256 to 256.
  @_noLocks
  package mutating func setRatio(_ ratio: Double) {
    self.ratio = ratio
    let state = self.state
    // REALTIME: src_set_ratio stores a number.
    _ = _unsafePerformance { src_set_ratio(state, ratio) }
  }

  /// Forgets all input: the next output lies at the first sample of the next input.
  @_noLocks
  package mutating func reset() {
    let state = self.state
    // REALTIME: src_reset clears the library's buffer, a few thousand samples, and does not allocate.
    _ = _unsafePerformance { src_reset(state) }
    setRatio(ratio)
  }

  /// Takes input and gives output, as far as both reach.
  ///
  /// - Returns: Samples taken and given. Taken samples without an output wait in the library.
  @_noLocks
  package mutating func convert(
    _ input: UnsafePointer<Float>, inputCount: Int, output: UnsafeMutablePointer<Float>, capacity: Int
  ) -> (taken: Int, given: Int) {
    let state = self.state
    var data = SRC_DATA()
    data.src_ratio = ratio
    data.data_in = input
    data.input_frames = inputCount
    data.data_out = output
    data.output_frames = capacity
    // REALTIME: src_process neither locks nor allocates; its work is bounded by the filter's length for each sample
    // given.
    let code = _unsafePerformance { src_process(state, &data) }
    return code == 0 ? (data.input_frames_used, data.output_frames_gen) : (inputCount, 0)
  }

  /// Returns the number of input samples behind the first that bring the first output.
  private static func lookAhead(_ state: OpaquePointer, _ channelCount: Int) -> Int {
    var silence = [Float](repeating: 0, count: channelCount)
    var scratch = [Float](repeating: 0, count: 64 * channelCount)
    var count = 0
    // Half of the longest filter spans 46 samples: the limit only guards the loop.
    while count < 1_024 {
      var data = SRC_DATA()
      data.src_ratio = 1
      data.input_frames = 1
      data.output_frames = 64
      let given = silence.withUnsafeMutableBufferPointer { input in
        scratch.withUnsafeMutableBufferPointer { output in
          data.data_in = UnsafePointer(input.baseAddress)
          data.data_out = output.baseAddress
          _ = src_process(state, &data)
          return data.output_frames_gen
        }
      }
      if given > 0 { break }
      count += 1
    }
    src_reset(state)
    return count
  }
}
