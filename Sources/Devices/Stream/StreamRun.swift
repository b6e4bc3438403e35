import Platform

/// A device stream that runs, from its opening to its end.
///
/// Thread: any.
final class StreamRun: Sendable {
  /// Longest wait for the end of a real device: a sound server that hangs keeps its callers waiting.
  private static let endLimitMilliseconds = 2_000

  private let stream: DeviceStream
  private let running: Guarded<(any RunningStream)?>
  private let isSimulated: Bool

  /// Opens the stream's device and runs it.
  ///
  /// - Throws: `DeviceError` if the device cannot be opened, `ThreadError` if the system gives no thread.
  init(_ stream: DeviceStream, on host: any DeviceHost, named name: String) throws {
    self.stream = stream
    isSimulated = host.isSimulated
    try stream.open()
    do {
      running = Guarded(try host.run(stream, named: name))
    } catch {
      stream.close()
      throw error
    }
  }

  var isRunning: Bool { running.withLock { $0 != nil } }

  /// Closes the device; later calls have no effect.
  func end() {
    let present = running.withLock { running in
      defer { running = nil }
      return running
    }
    guard let present else { return }
    let close = { @Sendable [stream] in
      present.end()
      stream.close()
    }
    guard !isSimulated else { return close() }
    let isClosed = Doorbell()
    let thread = try? BackgroundThread(named: "device end") {
      close()
      isClosed.ring()
    }
    guard let thread else { return close() }
    // Otherwise the thread ends with its server.
    if isClosed.wait(atMostMilliseconds: Self.endLimitMilliseconds) { thread.join() }
  }
}
