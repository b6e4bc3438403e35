import AudioGraph
import CommandLineKit
import FrameObservers
import OfflineProcessing

/// Runs independent jobs, several at a time.
///
/// A job that fails does not stop the others. After a signal, the running jobs finish and no more begin.
///
/// Thread: `run` once, from the main thread, which works, too; it starts the other workers.
final class JobPool<Value: Sendable>: Sendable {
  typealias Outcome = Result<Value, CommandFailure>

  private struct State {
    var outcomes: [Outcome?]
    /// First job with an end that is not reported yet.
    var nextTold = 0
    var failure: (any Error)?
  }

  private let jobCount: Int
  private let workerCount: Int
  private let work: @Sendable (Int) throws -> Value
  private let onEnd: @Sendable (Int, Outcome) throws -> Void
  private let state: Guarded<State>

  /// Creates a pool.
  ///
  /// - Parameters:
  ///   - jobCount: number of jobs.
  ///   - workerCount: most jobs that run at once.
  ///   - work: does a job. Thread: any worker.
  ///   - onEnd: receives the outcome of each job, one at a time and in the order of the jobs, however many run at once.
  ///     An error that it throws ends the run. Thread: any worker.
  init(
    jobCount: Int, workerCount: Int, work: @escaping @Sendable (Int) throws -> Value,
    onEnd: @escaping @Sendable (Int, Outcome) throws -> Void = { _, _ in }
  ) {
    self.jobCount = jobCount
    self.workerCount = workerCount
    self.work = work
    self.onEnd = onEnd
    state = Guarded(State(outcomes: Array(repeating: nil, count: jobCount)))
  }

  /// Runs the jobs.
  ///
  /// - Returns: the outcome of each job; nil if it did not begin.
  /// - Throws: the error of `onEnd`.
  func run() throws -> [Outcome?] {
    let pool = WorkerPool(
      count: jobCount, workerCount: workerCount,
      shouldStop: { [state] in InterruptHandler.pending != nil || state.withLock { $0.failure != nil } },
      work: { [self] index in end(index, with: Result { try work(index) }.mapError { CommandFailure(file: $0) }) })
    _ = pool.run()
    return try state.withLock { state in
      if let failure = state.failure { throw failure }
      return state.outcomes
    }
  }

  private func end(_ index: Int, with outcome: Outcome) {
    state.withLock { state in
      state.outcomes[index] = outcome
      while state.failure == nil, state.nextTold < jobCount, let outcome = state.outcomes[state.nextTold] {
        do {
          try onEnd(state.nextTold, outcome)
        } catch {
          state.failure = error
        }
        state.nextTold += 1
      }
    }
  }
}
