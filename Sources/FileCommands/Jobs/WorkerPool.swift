import AudioGraph
import CommandLineKit
import FrameObservers
import Synchronization

/// Threads that take numbers from 0 on, one by one.
///
/// After a signal, the running calls finish and no more begin.
enum WorkerPool {
  /// Calls `body` with each number below `count`, until one call returns false. Thread: the caller's works, too.
  static func run(count: Int, workerCount: Int, body: @escaping @Sendable (Int) -> Bool) {
    let next = Counter()
    let work = { @Sendable in
      while InterruptHandler.pending == nil {
        let index = next.take()
        guard index < count else { return }
        if !body(index) { next.stop(at: count) }
      }
    }
    // Fewer threads only take longer.
    let workers = (1..<max(1, min(workerCount, count))).compactMap { worker in
      try? BackgroundThread(named: "job \(worker)") { work() }
    }
    work()
    for worker in workers { worker.join() }
  }

  private final class Counter: Sendable {
    private let value = Atomic<Int>(0)

    func take() -> Int { value.wrappingAdd(1, ordering: .relaxed).oldValue }

    /// Lets no call begin any more.
    func stop(at count: Int) { value.store(count, ordering: .relaxed) }
  }
}
