import Platform

/// Requests with one outcome: the first failure, or the success of all.
///
/// Thread: any.
final class CallGroup: Sendable {
  private let waiting: Guarded<Int>
  private let completion: @Sendable (Result<Void, ChannelError>) -> Void

  init(count: Int, _ completion: @escaping @Sendable (Result<Void, ChannelError>) -> Void) {
    waiting = Guarded(count)
    self.completion = completion
  }

  /// Takes the outcome of one request.
  func take(_ result: Result<Void, ChannelError>) {
    let isOutcome = waiting.withLock { waiting in
      guard waiting > 0 else { return false }
      if case .failure = result { waiting = 0 } else { waiting -= 1 }
      return waiting == 0
    }
    if isOutcome { completion(result) }
  }
}
