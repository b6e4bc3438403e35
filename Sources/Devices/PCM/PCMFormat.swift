/// Format of an open stream, and the sizes of its buffer. Counts are samples per channel.
package struct PCMFormat: Hashable, Sendable {
  /// Samples per second, in Hz.
  package let sampleRate: Int
  /// Channels of the stream, interleaved.
  package let channelCount: Int
  /// Samples between two wake-ups.
  package let periodCount: Int
  /// Samples that the device's own buffer holds.
  package let bufferCount: Int

  package init(sampleRate: Int, channelCount: Int, periodCount: Int, bufferCount: Int) {
    self.sampleRate = sampleRate
    self.channelCount = channelCount
    self.periodCount = periodCount
    self.bufferCount = bufferCount
  }
}
