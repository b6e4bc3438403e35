import AudioGraph
import Synchronization

/// The thread on which an asynchronous observer is called, with the rings that lead to it.
final class ObserverThread: Sendable {
  private let feeds = Guarded<[ObserverFeed]>([])
  private let isStopRequested = Atomic<Bool>(false)
  private let isOver = Atomic<Bool>(false)
  private let thread = Guarded<BackgroundThread?>(nil)
  private let onEnd: (@Sendable () -> Void)?
  /// Rung by whoever put frames into a ring and may make system calls.
  let bell = Doorbell()

  /// Starts at once. `onEnd` is called on the thread when nothing more will be delivered.
  ///
  /// Throws: where the system gives no thread.
  init(named name: String, onEnd: (@Sendable () -> Void)?) throws(ThreadError) {
    self.onEnd = onEnd
    let started = try BackgroundThread(named: name) { self.run() }
    thread.withLock { $0 = started }
  }

  /// True once the thread has been told to end: it delivers what waits now, and nothing that comes later.
  var isStopping: Bool { isStopRequested.load(ordering: .acquiring) }

  /// True once the thread makes no more calls; to wait for its end then takes no time.
  var hasEnded: Bool { isOver.load(ordering: .acquiring) }

  func add(_ feed: ObserverFeed) { feeds.withLock { $0.append(feed) } }

  func requestStop() {
    isStopRequested.store(true, ordering: .releasing)
    bell.ring()
  }

  /// Delivers what waits, ends the thread and waits for its end; within an observer's call it does not wait.
  func stop() {
    requestStop()
    if CallingThread.isInCall, !hasEnded { return }
    thread.withLock { thread in
      thread?.join()
      thread = nil
    }
  }

  private func run() {
    while true {
      // Read before the rings: what was there when the stop came is still delivered.
      let last = isStopping
      for feed in feeds.withLock({ $0 }) where !feed.drain() {
        feeds.withLock { $0.removeAll { $0 === feed } }
      }
      if last { break }
      // Live, nobody rings from the audio thread: half a frame's time bounds how late a frame is seen.
      bell.wait(atMostMilliseconds: 5)
    }
    // Nobody will look at them again, and a ring is 10 ms of memory for each frame it holds.
    feeds.withLock { $0 = [] }
    onEnd?()
    isOver.store(true, ordering: .releasing)
  }
}
