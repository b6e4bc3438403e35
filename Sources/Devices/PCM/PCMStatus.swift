/// Progress of an open stream at one moment.
package struct PCMStatus: Hashable, Sendable {
  /// Samples per channel that can be read or written without a wait.
  package let available: Int
  /// Time at which `available` was true, in nanoseconds of CLOCK_MONOTONIC or of the virtual clock.
  package let timeNanoseconds: Int
  /// Playout: samples per channel between the next written one and the converter of the device, its buffer included.
  /// Capture: samples per channel between the converter and the oldest one that can be read.
  package let delay: Int

  package init(available: Int, timeNanoseconds: Int, delay: Int) {
    self.available = available
    self.timeNanoseconds = timeNanoseconds
    self.delay = delay
  }
}
