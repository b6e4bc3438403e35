import Glibc
import Synchronization

/// Lock of a forwarder, which its own thread holds for each burst of datagrams.
///
/// The thread of the signalling comes rarely, and comes first: the forwarder lets it pass between two datagrams.
/// Then the forwarder's thread is next, if it waits.
///
/// Thread: any.
final class ForwarderLock: @unchecked Sendable {
  // SAFETY (@unchecked Sendable): the mutex is only used through its own functions.
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  // The atomics pair with nothing: the mutex orders the data.
  /// Threads of the signalling that wait.
  private let waiting = Atomic(0)
  /// Whether the forwarder's thread waits.
  private let isBehind = Atomic(false)
  /// Whether the signalling has let go while the forwarder's thread waited, which is to be next.
  private let isOwed = Atomic(false)

  init() {
    mutex.initialize(to: pthread_mutex_t())
    // Recursive: a hold that a call has left behind must not stop its own thread.
    var attributes = pthread_mutexattr_t()
    pthread_mutexattr_init(&attributes)
    pthread_mutexattr_settype(&attributes, Int32(PTHREAD_MUTEX_RECURSIVE))
    pthread_mutex_init(mutex, &attributes)
    pthread_mutexattr_destroy(&attributes)
  }

  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  /// Locks for the signalling.
  func lockFirst() {
    // A mutex may go to the same thread again and again, though another waits.
    while isOwed.load(ordering: .relaxed) { sched_yield() }
    waiting.add(1, ordering: .relaxed)
    pthread_mutex_lock(mutex)
    waiting.subtract(1, ordering: .relaxed)
  }

  /// Lets the signalling pass between two datagrams of a burst.
  func pass() {
    guard waiting.load(ordering: .relaxed) > 0 else { return }
    unlock()
    lockBehind()
  }

  /// Holds the lock for a call of the forwarder's thread, behind the signalling.
  func hold<Result>(_ body: () -> Result) -> Result {
    lockBehind()
    defer { unlock() }
    return body()
  }

  private func lockBehind() {
    while waiting.load(ordering: .relaxed) > 0 { sched_yield() }
    isBehind.store(true, ordering: .relaxed)
    pthread_mutex_lock(mutex)
    isBehind.store(false, ordering: .relaxed)
    isOwed.store(false, ordering: .relaxed)
  }

  /// Ends the hold of `lockFirst`.
  func unlockFirst() {
    if isBehind.load(ordering: .relaxed) { isOwed.store(true, ordering: .relaxed) }
    unlock()
  }

  private func unlock() { pthread_mutex_unlock(mutex) }
}
