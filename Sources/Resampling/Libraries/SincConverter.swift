import CSampleRate

/// libsamplerate's windowed-sinc converter: gives every sample as soon as its filter has received enough input.
///
/// Shape: interleaved Float32. The owner calls `delete` once.
struct SincConverter: BitwiseCopyable {
  private let state: OpaquePointer
  private let ratio: Double
  private let channelCount: Int

  init(from inputRate: Int, to outputRate: Int, channelCount: Int) throws(ResamplingError) {
    try self.init(ratio: Double(outputRate) / Double(inputRate), channelCount: channelCount, quality: .high)
  }

  /// Creates a converter for a ratio of output rate to input rate.
  init(ratio: Double, channelCount: Int, quality: SincQuality) throws(ResamplingError) {
    var code: Int32 = 0
    let kind = quality == .fast ? SRC_SINC_FASTEST : SRC_SINC_MEDIUM_QUALITY
    guard let state = src_new(Int32(kind), Int32(channelCount), &code) else {
      throw .library(String(cString: src_strerror(code)))
    }
    self.state = state
    self.channelCount = channelCount
    self.ratio = ratio
  }

  /// Takes all of `input` and returns how many samples per channel it gave; `capacity` must hold them.
  @_noLocks
  func convert(
    _ input: UnsafePointer<Float>, inputCount: Int, output: UnsafeMutablePointer<Float>, capacity: Int
  ) -> Int {
    let (state, channelCount) = (self.state, self.channelCount)
    var data = SRC_DATA()
    data.src_ratio = ratio
    var (taken, given) = (0, 0)
    while taken < inputCount {
      data.data_in = input + taken &* channelCount
      data.input_frames = inputCount &- taken
      data.data_out = output + given &* channelCount
      data.output_frames = capacity &- given
      // REALTIME: src_process neither locks nor allocates; its work is bounded by the filter's length for each
      // sample given.
      let code = _unsafePerformance { src_process(state, &data) }
      taken &+= data.input_frames_used
      given &+= data.output_frames_gen
      if code != 0 || (data.input_frames_used == 0 && data.output_frames_gen == 0) { break }
    }
    return given
  }

  /// Converts at another ratio, as far as input and output reach.
  ///
  /// - Returns: Samples taken and given. Taken samples without an output wait in the library.
  @_noLocks
  func convert(
    _ input: UnsafePointer<Float>, inputCount: Int, output: UnsafeMutablePointer<Float>, capacity: Int, ratio: Double
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

  /// Moves to another ratio at once: without this, a block glides from the ratio before to its own.
  @_noLocks
  func setRatio(_ ratio: Double) {
    let state = self.state
    // REALTIME: src_set_ratio stores a number.
    _ = _unsafePerformance { src_set_ratio(state, ratio) }
  }

  /// Forgets all input: bit for bit the state after init, without touching memory management.
  @_noLocks
  func reset() {
    let state = self.state
    // REALTIME: src_reset clears the library's buffer, a few thousand samples, and does not allocate.
    _ = _unsafePerformance { src_reset(state) }
  }

  func delete() { src_delete(state) }

  /// Returns the most samples per channel by which the samples given lag behind floor(in x L / M), for any chunks.
  ///
  /// The filter gives output k once input floor(k M / L) + h has come. After n samples, ceil((n - h) L / M) are out,
  /// and the lag is at most floor(h L / M). h is found as the input that brings the first output.
  func largestDeficit(_ counter: PhaseCounter) -> Int {
    lookAhead(limit: 4_096 * max(1, counter.inputPerCycle / counter.outputPerCycle)) * counter.outputPerCycle
      / counter.inputPerCycle
  }

  /// Returns the number of input samples behind the first that bring the first output.
  func lookAhead(limit: Int = 4_096) -> Int {
    // Half the filter spans 46 samples of the lower rate: far less than this, so this only guards the loop.
    let scratch = UnsafeMutablePointer<Float>.allocate(capacity: 64 * channelCount)
    let silence = UnsafeMutablePointer<Float>.allocate(capacity: channelCount)
    silence.initialize(repeating: 0, count: channelCount)
    defer {
      scratch.deallocate()
      silence.deallocate()
      reset()
    }
    var lookAhead = 0
    while lookAhead < limit, convert(silence, inputCount: 1, output: scratch, capacity: 64) == 0 {
      lookAhead += 1
    }
    return lookAhead
  }
}
