import Glibc
import Synchronization

/// Lock of a forwarder, which its own thread holds for each burst of datagrams.
///
/// The thread of the signalling comes rarely, and comes first: the forwarder's thread lets it pass between two bursts.
///
/// Thread: any.
final class ForwarderLock: @unchecked Sendable {
  // SAFETY (@unchecked Sendable): the mutex is only used through its own functions.
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  /// Threads of the signalling that wait; pairs with nothing, as the mutex orders the data.
  private let waiting = Atomic<Int>(0)

  init() {
    mutex.initialize(to: pthread_mutex_t())
    pthread_mutex_init(mutex, nil)
  }

  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  /// Locks for the signalling.
  func lockFirst() {
    waiting.add(1, ordering: .relaxed)
    pthread_mutex_lock(mutex)
    waiting.subtract(1, ordering: .relaxed)
  }

  /// Locks for a burst, behind the signalling.
  func lockBehind() {
    while waiting.load(ordering: .relaxed) > 0 { sched_yield() }
    pthread_mutex_lock(mutex)
  }

  func unlock() { pthread_mutex_unlock(mutex) }
}
