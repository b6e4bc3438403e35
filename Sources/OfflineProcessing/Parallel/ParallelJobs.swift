/// Jobs that run several at a time on threads of their own, as an `AsyncSequence` of their progress and their results.
///
/// ```swift
/// let paths = ["a.wav", "b.wav", "c.wav"]
/// for await event in FileAnalysis.run(paths.map { FileAnalysis(.path($0)) }, parallel: 2) {
///   switch event {
///   case .progress(let job, let seconds, _): print("\(paths[job]): \(seconds) s")
///   case .ended(let job, .success(let result)): print("\(paths[job]): peak \(result.total.peakDBFS) dBFS")
///   case .ended(_, .failure(let error)): print(error)
///   }
/// }
/// ```
/// The jobs begin with the loop. A job that fails does not end the others, and each job ends once. After cancellation
/// of the task, the running jobs end with the results so far, the others with `CancellationError`, and the sequence
/// ends after them. A loop that is left early cancels the jobs as well, and does not wait for them.
///
/// Memory: a job does not begin while more results than `parallel` wait for the loop.
public struct ParallelJobs<Value: Sendable>: AsyncSequence, Sendable {
  /// News of one job; `job` is its index among the jobs.
  public enum Event: Sendable {
    /// Seconds of sound that are done, and in total if known. At most ten are reported a second and job. The newest
    /// report of each job waits for the loop, older ones are left out.
    case progress(job: Int, seconds: Double, total: Double?)
    /// The job has ended, with its result or the reason why there is none. Jobs end in any order.
    case ended(job: Int, Result<Value, any Error>)
  }

  /// News of one job.
  public typealias Element = Event

  /// A job that runs, as its work sees it.
  struct Job: Sendable {
    let report: @Sendable (_ seconds: Double, _ total: Double?) -> Void
    let isCancelled: @Sendable () -> Bool
  }

  private let count: Int
  private let parallel: Int
  private let work: @Sendable (Int, Job) throws -> Value

  init(count: Int, parallel: Int?, work: @escaping @Sendable (Int, Job) throws -> Value) {
    precondition(parallel ?? 1 >= 1, "at least one job runs at a time")
    self.count = count
    self.parallel = parallel ?? WorkerPool.processorCount
    self.work = work
  }

  /// Runs the jobs to their end. Cancellation of the task is that of the sequence.
  ///
  /// - Parameter progress: Called with progress of a job: its index, seconds done, and in total if known.
  /// - Returns: A result for each job, in the order of the jobs.
  public func results(
    progress: (_ job: Int, _ seconds: Double, _ total: Double?) -> Void = { _, _, _ in }
  ) async -> [Result<Value, any Error>] {
    var results = [Result<Value, any Error>](repeating: .failure(CancellationError()), count: count)
    for await event in self {
      switch event {
      case .progress(let job, let seconds, let total): progress(job, seconds, total)
      case .ended(let job, let result): results[job] = result
      }
    }
    return results
  }

  /// Starts the jobs; each loop has jobs of its own.
  public func makeAsyncIterator() -> Iterator {
    let run = ParallelRun<Event>(capacity: parallel)
    run.start { [count, parallel, work] in
      let pool = WorkerPool(count: count, workerCount: parallel, shouldStop: { run.waitForCapacity() }) { index in
        let pace = ProgressPace()
        let job = Job(
          report: { if pace.isDue() { run.report(.progress(job: index, seconds: $0, total: $1), of: index) } },
          isCancelled: { run.isCancelled })
        run.end(.ended(job: index, Result { try work(index, job) }), of: index)
      }
      for index in pool.run()..<count { run.end(.ended(job: index, .failure(CancellationError())), of: index) }
    } orFail: { [count] error in
      for index in 0..<count { run.end(.ended(job: index, .failure(error)), of: index) }
    }
    return Iterator(run: run)
  }

  /// Waits for one event after the other.
  public struct Iterator: AsyncIteratorProtocol {
    /// Cancels the jobs once the loop is left.
    private final class Loop: Sendable {
      let run: ParallelRun<Event>
      init(_ run: ParallelRun<Event>) { self.run = run }
      deinit { run.cancel() }
    }

    private let loop: Loop

    init(run: ParallelRun<Event>) { loop = Loop(run) }

    /// Returns the next event; nil after the end of the last job.
    public mutating func next() async -> Event? { await loop.run.next() }
  }
}
