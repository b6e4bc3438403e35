import Platform

/// A device stream that runs, from its opening to its end.
///
/// Thread: any.
final class StreamRun: Sendable {
  /// Longest waits for a real device: a sound server that hangs keeps its callers waiting.
  private static let endLimitMilliseconds = 2_000
  static let openLimitMilliseconds = 5_000

  private let stream: DeviceStream
  private let running: Guarded<(any RunningStream)?>
  private let isSimulated: Bool

  /// Opens the stream's device and runs it.
  ///
  /// - Throws: `DeviceError` if the device cannot be opened, `ThreadError` if the system gives no thread.
  init(_ stream: DeviceStream, on host: any DeviceHost, named name: String) throws {
    self.stream = stream
    isSimulated = host.isSimulated
    try Self.open(stream, on: host)
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
    if isSimulated { return close() }
    BoundedCall.run(milliseconds: Self.endLimitMilliseconds, close)
  }

  private static func open(_ stream: DeviceStream, on host: any DeviceHost) throws(DeviceError) {
    if host.isSimulated { return try stream.open() }
    let error = BoundedCall.run(milliseconds: openLimitMilliseconds) { () -> DeviceError? in
      do throws(DeviceError) {
        try stream.open()
        return nil
      } catch {
        return error
      }
    }
    guard let error else {
      throw .silent(stream.chosen)
    }
    if let error { throw error }
  }
}
