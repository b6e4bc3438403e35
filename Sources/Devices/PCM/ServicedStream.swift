/// A stream that is driven by wake-ups.
package protocol ServicedStream: AnyObject, Sendable {
  /// Moves the samples that can be moved now. Thread: the device thread.
  func service()
  /// Waits for the next wake-up. Thread: the device thread.
  func wait()
  /// Time of the next wake-up, in nanoseconds of the stream's clock. Thread: the device thread.
  var nextWakeNanoseconds: Int { get }
}

/// A stream that is being driven.
package protocol RunningStream: AnyObject, Sendable {
  /// Ends the run; no wake-up follows. Thread: control.
  func end()
}
