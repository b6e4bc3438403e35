import Platform

/// Recordings that are being completed, each group on a thread of its own: a disk may be slow.
///
/// Thread: any.
final class RecordingEnds: Sendable {
  private let count = Guarded(0)
  private let bell = Doorbell()

  /// Completes recordings; without a thread, within the call.
  func run(_ complete: @escaping @Sendable () -> Void) {
    count.withLock { $0 += 1 }
    let end: @Sendable () -> Void = { [self] in
      complete()
      count.withLock { $0 -= 1 }
      bell.ring()
    }
    guard let thread = try? BackgroundThread(named: "recordings", end) else { return end() }
    thread.detach()
  }

  /// Waits until all recordings are complete, or a time is over: a file may stall for ever.
  func wait(atMost limit: Duration) {
    let end = ContinuousClock.now + limit
    while count.withLock({ $0 > 0 }), ContinuousClock.now < end { _ = bell.wait(atMostMilliseconds: 100) }
  }
}
