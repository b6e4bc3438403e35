package import AudioGraph

/// Rounds samples as a file of some sample format stores them, so that they can be measured before they are written.
///
/// The dither is the same as in a writer with the same options that gets the same samples.
///
/// Thread: one at a time.
package final class SampleRounding {
  private static let blockLength = 4_096

  private let sampleFormat: SampleFormat
  private let channelCount: Int
  private var encoder: SampleEncoder
  private let bytes: UnsafeMutableRawPointer

  /// Creates the rounding of a file.
  ///
  /// - Parameters:
  ///   - format: sample rate and channels.
  ///   - sampleFormat: sample format of the file.
  ///   - options: options of the output; its sample format is ignored.
  package init(_ format: AudioFormat, _ sampleFormat: SampleFormat, options: OutputOptions) {
    self.sampleFormat = sampleFormat
    channelCount = format.channelCount
    encoder = SampleEncoder(
      layout: SampleEncoder.Layout(sampleFormat), channelCount: channelCount, ditherSeed: options.ditherSeed,
      ditherStart: options.ditherStart)
    let slack = max(SampleEncoder.slack, SampleDecoder.slack)
    bytes = .allocate(
      byteCount: Self.blockLength * channelCount * sampleFormat.bytesPerSample + slack, alignment: 64)
  }

  deinit { bytes.deallocate() }

  /// Rounds `count` samples of each channel in planes that begin `stride` samples apart at `base`.
  package func round(_ base: UnsafeMutablePointer<Float>, stride: Int, count: Int) {
    var done = 0
    while done < count {
      let block = min(count - done, Self.blockLength)
      encoder.encode(base + done, stride: stride, count: block, into: bytes)
      _ = SampleDecoder.decode(
        bytes, as: sampleFormat, channelCount: channelCount, count: block, into: base + done, stride: stride)
      done += block
    }
  }
}
