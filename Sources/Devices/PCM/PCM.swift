/// An open stream of a sound device in one direction.
///
/// No call but `wait` waits. Shape: interleaved Float32, nominal range -1...1; counts are samples per channel.
/// Thread: the device thread.
package protocol PCM: AnyObject {
  /// The open device.
  var device: AudioDevice { get }
  /// Format that the device has agreed to.
  var format: PCMFormat { get }
  /// Starts the stream. A playout stream has been filled before.
  func start() throws(PCMFault)
  /// Returns the present progress.
  func status() throws(PCMFault) -> PCMStatus
  /// Reads at most `count` samples.
  ///
  /// - Returns: Samples per channel read; fewer if fewer are there.
  func read(into samples: UnsafeMutablePointer<Float>, count: Int) throws(PCMFault) -> Int
  /// Writes at most `count` samples.
  ///
  /// - Returns: Samples per channel written; fewer if the buffer is full.
  func write(_ samples: UnsafePointer<Float>, count: Int) throws(PCMFault) -> Int
  /// Empties the buffer after an xrun or a suspension; `start` may follow.
  func recover(from fault: PCMFault) throws(PCMFault)
  /// Waits until a period can be read or written, or the limit is over.
  func wait(atMostMilliseconds limit: Int)
  /// Time of the next wake-up on a virtual clock, in nanoseconds; nil for a device with its own clock.
  var nextWakeNanoseconds: Int? { get }
  /// Whether a sound server may estimate the positions, which wander then.
  var isServer: Bool { get }
  /// Whether the wake-ups of a playout stream move through the phases of the device's periods; see `DelayOffset`.
  var movesPhase: Bool { get set }
  /// Ends the stream at once.
  func close()
}

extension PCM {
  package var nextWakeNanoseconds: Int? { nil }
  package var isServer: Bool { false }
  package var movesPhase: Bool {
    get { false }
    set {}
  }
}
