import Glibc

/// Runs every body on a thread of its own and returns when all have ended.
public func runThreads(_ bodies: (@Sendable () -> Void)...) {
  let threads = bodies.map { body in
    var thread = pthread_t()
    let context = Unmanaged.passRetained(ThreadBody(body)).toOpaque()
    let result = pthread_create(&thread, nil, runThreadBody, context)
    precondition(result == 0, "no thread could be made")
    return thread
  }
  for thread in threads { pthread_join(thread, nil) }
}

/// Holds what one thread works with; the others look at it only after that thread has ended.
public final class ThreadOwned<Value: ~Copyable>: @unchecked Sendable {
  // SAFETY (@unchecked Sendable): one thread uses the value until it is joined.
  /// What the thread works with.
  public var value: Value

  /// Holds `value` for one thread.
  public init(_ value: consuming Value) { self.value = value }
}

private final class ThreadBody: Sendable {
  let run: @Sendable () -> Void

  init(_ run: @escaping @Sendable () -> Void) { self.run = run }
}

private func runThreadBody(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  Unmanaged<ThreadBody>.fromOpaque(context!).takeRetainedValue().run()
  return nil
}
