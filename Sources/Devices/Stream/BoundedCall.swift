import Platform

/// Calls of a library that waits for a server, and for ever if the server hangs.
enum BoundedCall {
  /// Makes a call on a thread of its own.
  ///
  /// - Returns: The result; nil if it takes longer than the limit. The thread then ends with the call.
  @discardableResult
  static func run<Result: Sendable>(
    milliseconds limit: Int, _ body: @escaping @Sendable () -> Result
  ) -> Result? {
    let result = Guarded<Result?>(nil)
    let isDone = Doorbell()
    let thread = try? BackgroundThread(named: "device call") {
      let value = body()
      result.withLock { $0 = value }
      isDone.ring()
    }
    guard let thread else { return body() }
    guard isDone.wait(atMostMilliseconds: limit) else {
      thread.detach()
      return nil
    }
    thread.join()
    return result.withLock { $0 }
  }
}
