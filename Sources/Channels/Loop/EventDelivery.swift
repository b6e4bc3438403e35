import Platform

/// Calls of delegates and closures, in order, on a thread of the engine or an executor of the program.
///
/// Thread: any.
final class EventDelivery: Sendable {
  private struct State {
    var calls: [@Sendable () -> Void] = []
    var thread: BackgroundThread?
    var isStopped = false
  }

  private let state = Guarded(State())
  private let bell = Doorbell()
  private let executor: (@Sendable (@escaping @Sendable () -> Void) -> Void)?

  init(_ executor: (@Sendable (@escaping @Sendable () -> Void) -> Void)?) { self.executor = executor }

  deinit { stop() }

  /// Queues a call.
  func post(_ call: @escaping @Sendable () -> Void) {
    if let executor {
      return executor { [weak self] in
        // A call of a destroyed engine does not happen.
        if self?.isStopped == false { call() }
      }
    }
    state.withLock { state in
      guard !state.isStopped else { return }
      state.calls.append(call)
      if state.thread == nil { state.thread = try? startThread() }
    }
    bell.ring()
  }

  /// Ends the delivery; queued calls do not happen.
  func stop() {
    let thread = state.withLock { state in
      state.isStopped = true
      state.calls = []
      defer { state.thread = nil }
      return state.thread
    }
    bell.ring()
    if let thread, !thread.isCurrent { thread.join() }
  }

  private var isStopped: Bool { state.withLock { $0.isStopped } }

  private func startThread() throws(ThreadError) -> BackgroundThread {
    try BackgroundThread(named: "channel events") { [weak self, bell] in
      while true {
        guard let calls = self?.take() else { return }
        if calls.isEmpty { bell.wait(atMostMilliseconds: 100) }
        // A call may destroy the engine; then no other follows.
        for call in calls where self?.isStopped == false { call() }
      }
    }
  }

  private func take() -> [@Sendable () -> Void]? {
    state.withLock { state in
      guard !state.isStopped else { return nil }
      defer { state.calls = [] }
      return state.calls
    }
  }
}
