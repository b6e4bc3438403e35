/// Reason why a call of an open stream failed.
package enum PCMFault: Error, Hashable, Sendable {
  /// The device's buffer ran over or empty. `recover` makes the stream ready to start again.
  case xrun
  /// The machine was suspended. `recover` makes the stream ready to start again.
  case suspended
  /// The device is gone.
  case unplugged
  /// Another failure, as an errno.
  case failed(Int32)
}
