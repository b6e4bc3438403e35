import CPlatform
import Glibc

/// A thread that runs one closure to its end, for work beside the audio thread: files, drains, observers.
public final class BackgroundThread: @unchecked Sendable {
  // SAFETY (@unchecked Sendable): the handle is written by init and read by `join`, which its owner calls once.
  private var handle = pthread_t()

  private final class Body {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }

  /// Starts the thread at once. Tools like `top -H` show the first 15 bytes of its name.
  ///
  /// - Throws: `ThreadError` if the system gives no thread.
  public init(named name: String, _ run: @escaping @Sendable () -> Void) throws(ThreadError) {
    let body = Unmanaged.passRetained(Body(run))
    let result = pthread_create(
      &handle, nil,
      { argument in
        Unmanaged<Body>.fromOpaque(argument!).takeRetainedValue().run()
        return nil
      }, body.toOpaque())
    guard result == 0 else {
      body.release()
      throw ThreadError(name: name, number: result)
    }
    cplatform_name_thread(handle, String(decoding: name.utf8.prefix(15), as: UTF8.self))
  }

  /// Waits until the closure has returned. Call it exactly once, or `detach`.
  public func join() { pthread_join(handle, nil) }

  /// Leaves the thread to itself. The system takes its memory back after the closure has returned. Call it once,
  /// instead of `join`.
  public func detach() { pthread_detach(handle) }

  /// Whether the caller runs on this thread.
  public var isCurrent: Bool { pthread_equal(pthread_self(), handle) != 0 }
}
