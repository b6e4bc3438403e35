package import AudioGraph
import Synchronization

/// Keeps the rings of all players of a pipeline full, on one thread.
///
/// In a live pipeline the audio thread cannot wake it, so it checks the rings every 40 ms; they hold six times that.
package final class PrefetchThread: @unchecked Sendable {
  // SAFETY (@unchecked Sendable): the thread is set by init and joined by deinit; the rest is locked or atomic.
  private let bell = Doorbell()
  private let shared = Shared()
  private var thread: BackgroundThread?
  private let onFill: Doorbell

  private final class Shared: Sendable {
    let players = Guarded<[SoundPlayer]>([])
    let isStopping = Atomic<Bool>(false)
  }

  private static let pollMilliseconds = 40

  /// - Parameter onFill: bell that rings when samples have come.
  /// - Throws: an error if the system cannot create a thread.
  package init(onFill: Doorbell) throws(ThreadError) {
    self.onFill = onFill
    thread = try BackgroundThread(named: "prefetch") { [bell, shared] in
      while !shared.isStopping.load(ordering: .acquiring) {
        // Not under the lock: a disk that hangs does not block `add` for another sound.
        var hasFilled = false
        for player in shared.players.withLock({ $0 }) where player.prefetch() { hasFilled = true }
        if hasFilled { onFill.ring() }
        bell.wait(atMostMilliseconds: Self.pollMilliseconds)
      }
    }
  }

  deinit {
    shared.isStopping.store(true, ordering: .releasing)
    bell.ring()
    thread?.join()
  }

  // A new list each time: the thread may still iterate over the one before.

  package func add(_ player: SoundPlayer) { shared.players.withLock { $0 = $0 + [player] } }

  package func remove(_ player: SoundPlayer) { shared.players.withLock { $0 = $0.filter { $0 !== player } } }

  /// Ends the present wait. Thread: any that may make system calls.
  package func hurry() { bell.ring() }
}
