import Glibc

/// A value that one thread at a time reads or changes. Not for the audio thread: it waits.
///
/// Not a `Mutex`: when two threads contend for one, the kernel hands it over unseen by the thread sanitizer. The
/// sanitizer then reports races that do not exist, and real ones drown among them.
package final class Guarded<Value: ~Copyable & Sendable>: @unchecked Sendable {
  // SAFETY (@unchecked Sendable): the value is touched only while the mutex is held.
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private var value: Value

  package init(_ value: consuming Value) {
    self.value = value
    mutex = .allocate(capacity: 1)
    mutex.initialize(to: pthread_mutex_t())
    precondition(pthread_mutex_init(mutex, nil) == 0, "the system gives no more mutexes")
  }

  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  package func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return try body(&value)
  }
}
