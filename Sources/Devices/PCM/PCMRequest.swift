/// Wanted format of a stream; a device takes the nearest that it offers.
package struct PCMRequest: Hashable, Sendable {
  /// Wanted samples per second, in Hz.
  package var sampleRate: Int
  /// Wanted channels.
  package var channelCount: Int
  /// Wanted time between two wake-ups, in milliseconds.
  package var periodMilliseconds: Int
  /// Wanted number of periods in the device's buffer.
  package var periodsPerBuffer: Int

  package init(sampleRate: Int, channelCount: Int, periodMilliseconds: Int = 10, periodsPerBuffer: Int = 3) {
    self.sampleRate = sampleRate
    self.channelCount = channelCount
    self.periodMilliseconds = periodMilliseconds
    self.periodsPerBuffer = periodsPerBuffer
  }
}
