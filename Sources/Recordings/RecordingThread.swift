package import AudioGraph
import Synchronization

/// Writes the files of all recordings of a pipeline, on one thread.
///
/// Live, nothing can wake it from the audio thread, so it checks the rings every 100 ms; they hold ten times that.
/// Every fifth time it writes everything; a kill can lose the sound since then.
package final class RecordingThread: @unchecked Sendable {
  // SAFETY (@unchecked Sendable): the thread is set by init and joined by deinit; the rest is locked or atomic.
  private let bell = Doorbell()
  private let shared = Shared()
  private var thread: BackgroundThread?

  private final class Shared: Sendable {
    let tracks = Guarded<[RecordingTrack]>([])
    let isStopping = Atomic<Bool>(false)
  }

  private static let pollMilliseconds = 100

  /// Starts the thread.
  ///
  /// - Throws: An error if the system does not provide a thread.
  package init() throws(ThreadError) {
    thread = try BackgroundThread(named: "recording") { [bell, shared] in
      var round = 0
      while !shared.isStopping.load(ordering: .acquiring) {
        round += 1
        // Not under the lock: a slow disk would delay callers that begin or end a recording.
        for track in shared.tracks.withLock({ $0 }) where !track.write(delivers: round % 5 == 0) {
          shared.tracks.withLock { $0.removeAll { $0 === track } }
        }
        bell.wait(atMostMilliseconds: Self.pollMilliseconds)
      }
    }
  }

  deinit {
    shared.isStopping.store(true, ordering: .releasing)
    bell.ring()
    thread?.join()
  }

  package func add(_ track: RecordingTrack) { shared.tracks.withLock { $0.append(track) } }

  /// Ends the present wait. Thread: any that may make system calls.
  package func hurry() { bell.ring() }
}
