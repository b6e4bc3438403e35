import AudioGraph
import Synchronization

/// The thread that calls an asynchronous observer, with the rings that lead to it.
final class ObserverThread: Sendable {
  private let feeds = Guarded<[ObserverFeed]>([])
  private let isStopRequested = Atomic<Bool>(false)
  private let isOver = Atomic<Bool>(false)
  private let thread = Guarded<BackgroundThread?>(nil)
  private let onEnd: (@Sendable () -> Void)?
  /// Doorbell for a producer that has put frames into a ring and may make system calls.
  let bell = Doorbell()

  /// Starts the thread at once.
  ///
  /// - Parameters:
  ///   - name: Name of the thread.
  ///   - onEnd: Called on the thread after the last delivery.
  /// - Throws: `ThreadError` if the system cannot start a thread.
  init(named name: String, onEnd: (@Sendable () -> Void)?) throws(ThreadError) {
    self.onEnd = onEnd
    let started = try BackgroundThread(named: name) { self.run() }
    thread.withLock { $0 = started }
  }

  /// Whether the thread has been requested to end: it delivers the frames that wait now, and no later ones.
  var isStopping: Bool { isStopRequested.load(ordering: .acquiring) }

  /// Whether the thread makes no more calls; a wait for its end then takes no time.
  var hasEnded: Bool { isOver.load(ordering: .acquiring) }

  func add(_ feed: ObserverFeed) { feeds.withLock { $0.append(feed) } }

  func requestStop() {
    isStopRequested.store(true, ordering: .releasing)
    bell.ring()
  }

  /// Delivers the waiting frames, ends the thread and waits for its end; within an observer's call it does not wait.
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
      // Read before the rings: frames in them at the stop are still delivered.
      let last = isStopping
      for feed in feeds.withLock({ $0 }) where !feed.drain() {
        feeds.withLock { $0.removeAll { $0 === feed } }
      }
      if last { break }
      // Live, the audio thread does not ring: half a frame's time bounds the delay of a frame.
      bell.wait(atMostMilliseconds: 5)
    }
    // No thread will read the rings again, and a ring is 10 ms of memory for each frame it holds.
    feeds.withLock { $0 = [] }
    onEnd?()
    isOver.store(true, ordering: .releasing)
  }
}
