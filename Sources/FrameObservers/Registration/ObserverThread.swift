import AudioGraph
import Synchronization

/// The thread on which an asynchronous observer is called, with the rings that lead to it.
final class ObserverThread: Sendable {
  private let feeds = Mutex<[ObserverFeed]>([])
  private let isStopping = Atomic<Bool>(false)
  private let thread = Mutex<BackgroundThread?>(nil)
  /// Rung by whoever put frames into a ring and may make system calls.
  let bell = Doorbell()

  func start(named name: String) {
    thread.withLock { $0 = BackgroundThread(named: name) { self.run() } }
  }

  func add(_ feed: ObserverFeed) { feeds.withLock { $0.append(feed) } }

  func remove(_ feed: ObserverFeed) { feeds.withLock { $0.removeAll { $0 === feed } } }

  /// Delivers what waits, then ends the thread. From the thread itself it returns at once.
  func stop() {
    isStopping.store(true, ordering: .releasing)
    bell.ring()
    thread.withLock { thread in
      guard let running = thread, !running.isCurrent else { return }
      running.join()
      thread = nil
    }
  }

  private func run() {
    while true {
      // Read before the rings: what was there when the stop came is still delivered.
      let last = isStopping.load(ordering: .acquiring)
      for feed in feeds.withLock({ $0 }) { feed.drain() }
      if last { return }
      // Live, nobody rings from the audio thread: half a frame's time bounds how late a frame is seen.
      bell.wait(atMostMilliseconds: 5)
    }
  }
}
