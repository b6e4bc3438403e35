import Glibc

/// Whether the current thread is inside an observer's call.
enum CallingThread {
  // REALTIME: glibc keeps the first keys of a process in the thread's own block; reading and writing one neither
  // locks nor allocates there.
  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    precondition(pthread_key_create(&key, nil) == 0, "the system gives no more thread-specific keys")
    return key
  }()

  /// Makes the key, so that the audio thread need not.
  static func prepare() { _ = key }

  static var isInCall: Bool { pthread_getspecific(key) != nil }

  /// Marks the thread as inside a call; calls may be nested.
  ///
  /// - Returns: Value to pass to `leave`.
  static func enter() -> UnsafeMutableRawPointer? {
    let outer = pthread_getspecific(key)
    pthread_setspecific(key, UnsafeRawPointer(bitPattern: 1))
    return outer
  }

  static func leave(_ outer: UnsafeMutableRawPointer?) { pthread_setspecific(key, outer) }
}
