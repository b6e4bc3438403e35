import CPlatform
import Glibc

/// Lets a thread that may sleep wait until another thread has work for it.
///
/// One ring is remembered: a ring before the wait ends the wait at once. Thread: any but the audio thread of a live
/// graph, which must not make system calls.
public final class Doorbell: @unchecked Sendable {
  // SAFETY (@unchecked Sendable): a POSIX semaphore may be used by any number of threads.
  private let semaphore: UnsafeMutablePointer<sem_t>

  /// Creates a bell without a ring.
  public init() {
    semaphore = .allocate(capacity: 1)
    semaphore.initialize(to: sem_t())
    precondition(sem_init(semaphore, 0, 0) == 0, "sem_init failed")
  }

  deinit {
    sem_destroy(semaphore)
    semaphore.deallocate()
  }

  /// Ends the current wait, or else the next one.
  public func ring() {
    var pending: Int32 = 0
    sem_getvalue(semaphore, &pending)
    if pending < 1 { sem_post(semaphore) }
  }

  /// Waits for a ring, at most `limit` milliseconds.
  ///
  /// - Returns: Whether a ring came; false if none did.
  @discardableResult
  public func wait(atMostMilliseconds limit: Int) -> Bool {
    while cplatform_wait(semaphore, limit) == -1 {
      if errno != EINTR { return false }
    }
    return true
  }
}
