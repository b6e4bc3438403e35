import Glibc
import Platform
import Synchronization

/// Does independent pieces of work that may wait, several at a time, on threads.
///
/// Thread: `run` once. Its caller works, too; it starts the other workers.
package final class WorkerPool: Sendable {
  /// Processors that this process may use.
  package static var processorCount: Int { ProcessorCount.available }

  private let count: Int
  private let workerCount: Int
  private let shouldStop: @Sendable () -> Bool
  private let work: @Sendable (Int) -> Void
  private let next = Atomic<Int>(0)

  /// Creates a pool.
  ///
  /// - Parameters:
  ///   - count: Number of pieces.
  ///   - workerCount: Most pieces in work at once.
  ///   - shouldStop: Called before each piece; true: no more begins. Thread: any worker.
  ///   - work: Does a piece, given its index. Thread: any worker.
  package init(
    count: Int, workerCount: Int, shouldStop: @escaping @Sendable () -> Bool, work: @escaping @Sendable (Int) -> Void
  ) {
    self.count = count
    self.workerCount = workerCount
    self.shouldStop = shouldStop
    self.work = work
  }

  /// Does the pieces, begun in the order of their indices.
  ///
  /// - Returns: Index of the first piece that did not begin; `count` if all are done.
  package func run() -> Int {
    // Fewer threads only take longer.
    let workers = (1..<max(1, min(workerCount, count))).compactMap { worker in
      try? BackgroundThread(named: "job \(worker)") { self.workOn() }
    }
    workOn()
    for worker in workers { worker.join() }
    return min(count, next.load(ordering: .relaxed))
  }

  private func workOn() {
    while !shouldStop() {
      let index = next.wrappingAdd(1, ordering: .relaxed).oldValue
      guard index < count else { return }
      work(index)
    }
  }
}
