/// A stream that a simulation drives, on the thread that moves the clock.
final class SteppedStream: RunningStream, @unchecked Sendable {
  // SAFETY (@unchecked Sendable): the stream is driven by one thread at a time, and ended by its owner between steps.
  private let stream: any ServicedStream
  private let onEnd: @Sendable (SteppedStream) -> Void

  init(_ stream: any ServicedStream, onEnd: @escaping @Sendable (SteppedStream) -> Void) {
    self.stream = stream
    self.onEnd = onEnd
  }

  /// Time of the next wake-up, in nanoseconds.
  var wake: Int { stream.nextWakeNanoseconds }

  func service() { stream.service() }

  func end() { onEnd(self) }
}
