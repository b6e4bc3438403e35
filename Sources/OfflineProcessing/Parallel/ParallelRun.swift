import Platform
import Synchronization

/// Events on their way from the threads of jobs to the task that waits for them.
final class ParallelRun<Event: Sendable>: Sendable {
  private struct State {
    var ends: [Event] = []
    /// Newest progress of each job that runs.
    var progress: [Int: Event] = [:]
    var waiter: CheckedContinuation<Event?, Never>?
    var isOver = false

    mutating func take() -> Event? {
      if !ends.isEmpty { return ends.removeFirst() }
      return progress.popFirst()?.value
    }
  }

  private let state = Guarded(State())
  private let cancelled = Atomic<Bool>(false)
  /// Ends of jobs that may wait for the task.
  private let capacity: Int
  private let taken = Doorbell()

  init(capacity: Int) { self.capacity = capacity }

  /// Whether the task has been cancelled or has left its loop. Thread: any.
  var isCancelled: Bool { cancelled.load(ordering: .relaxed) }

  /// Asks the jobs to end. Thread: any.
  func cancel() {
    cancelled.store(true, ordering: .relaxed)
    taken.ring()
  }

  /// Runs `body` on a new thread, then ends the sequence. If the system gives no thread, it calls `orFail` instead.
  func start(_ body: @escaping @Sendable () -> Void, orFail: @Sendable (ThreadError) -> Void) {
    do {
      // Nobody waits for its end: a loop that has been left goes on at once.
      try BackgroundThread(named: "jobs") { [self] in
        body()
        close()
      }.detach()
    } catch {
      orFail(error)
      close()
    }
  }

  /// Passes the newest progress of a job on. Thread: any.
  func report(_ event: Event, of job: Int) {
    deliver { $0.progress[job] = event }
  }

  /// Passes the end of a job on, after which it has no progress. Thread: any.
  func end(_ event: Event, of job: Int) {
    deliver { state in
      state.progress[job] = nil
      state.ends.append(event)
    }
  }

  /// Waits until another job may begin. Thread: any but the task's.
  ///
  /// - Returns: Whether no job may begin any more.
  func waitForCapacity() -> Bool {
    while !isCancelled, state.withLock({ $0.ends.count > capacity }) { taken.wait(atMostMilliseconds: 100) }
    return isCancelled
  }

  /// Waits for the next event; nil at the end. One task at a time.
  func next() async -> Event? {
    await withTaskCancellationHandler {
      await withCheckedContinuation { (continuation: CheckedContinuation<Event?, Never>) in
        let (event, isOver) = state.withLock { state -> (Event?, Bool) in
          if let event = state.take() { return (event, false) }
          if !state.isOver { state.waiter = continuation }
          return (nil, state.isOver)
        }
        if event != nil || isOver { continuation.resume(returning: event) }
        taken.ring()
      }
    } onCancel: {
      cancel()
    }
  }

  private func close() { deliver { $0.isOver = true } }

  private func deliver(_ change: (inout State) -> Void) {
    let (waiter, event) = state.withLock { state -> (CheckedContinuation<Event?, Never>?, Event?) in
      change(&state)
      guard state.waiter != nil else { return (nil, nil) }
      let event = state.take()
      guard event != nil || state.isOver else { return (nil, nil) }
      return (state.waiter.take(), event)
    }
    waiter?.resume(returning: event)
  }
}
