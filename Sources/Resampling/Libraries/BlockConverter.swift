import CSoxr

/// soxr's converter: filters whole blocks by FFT, so it is cheap and gives its samples in bursts.
///
/// Shape: interleaved Float32. The owner calls `delete` once.
struct BlockConverter: BitwiseCopyable {
  /// Use of the converter.
  enum Purpose {
    /// The smallest blocks that the library takes: half the delay of its default at the same cost.
    case live
    /// Large blocks and 28 bits in double precision: errors stay below the steps of 24-bit audio, for a quarter
    /// more work than the 20-bit quality.
    case file
  }

  private let resampler: OpaquePointer

  init(from inputRate: Int, to outputRate: Int, channelCount: Int, purpose: Purpose) throws(ResamplingError) {
    // Without roll-off the passband is flat to the converter's precision; the default droops by 0.002 dB at 80 %,
    // which is an error of -74 dB. The precise clock serves ratios that the library cannot hold as a fraction:
    // its default one would drift by a sample in a few days.
    let recipe = purpose == .live ? SOXR_20_BITQ : SOXR_28_BITQ
    var quality = soxr_quality_spec(UInt(recipe), UInt(SOXR_ROLLOFF_NONE | SOXR_HI_PREC_CLOCK))
    var runtime = soxr_runtime_spec(1)
    if purpose == .live {
      runtime.log2_min_dft_size = 8
      runtime.log2_large_dft_size = 8
    }
    var message: soxr_error_t?
    let made = soxr_create(
      Double(inputRate), Double(outputRate), UInt32(channelCount), &message, nil, &quality, &runtime)
    guard let made else { throw .library(message.map { String(cString: $0) } ?? "out of memory") }
    resampler = made
  }

  /// Takes all of `input`, gives the samples that are ready, up to `capacity`, and returns their number per channel.
  ///
  /// A later call, which may bring no input at all, gives the samples that did not fit.
  @_noLocks
  func convert(
    _ input: UnsafePointer<Float>, inputCount: Int, output: UnsafeMutablePointer<Float>, capacity: Int
  ) -> Int {
    let resampler = self.resampler
    var given = 0
    // REALTIME: soxr_process takes no lock at 20 bits and one thread, and allocates only while its buffers still
    // grow, which `RateConverter` has done before the first live call; its work is bounded by the blocks in hand.
    _ = _unsafePerformance { soxr_process(resampler, input, inputCount, nil, output, capacity, &given) }
    return given
  }

  func delete() { soxr_delete(resampler) }
}
