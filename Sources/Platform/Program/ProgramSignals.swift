import Glibc
import Synchronization

/// The signals that end a program of `Program.run`.
enum ProgramSignals {
  /// Installs the handlers, and the thread that ends the program. A SIGHUP that is ignored, as under nohup, stays so.
  static func install(cancelBody: @escaping @Sendable () -> Void) {
    // Touched here, so that no handler initializes it.
    firstSignal.store(0, ordering: .relaxed)
    _ = arrival
    do {
      try BackgroundThread(named: "end") {
        while !arrival.wait(atMostMilliseconds: 3_600_000) {}
        ProgramEnd.end(signal: firstSignal.load(ordering: .relaxed), cancelBody: cancelBody)
      }.detach()
    } catch {
      // Without the thread the signals end the program as they always do.
      return
    }
    var action = sigaction()
    action.sa_flags = Int32(SA_RESTART)
    action.__sigaction_handler.sa_handler = { signal in
      // Only atomics, semaphores and _exit: little else is safe inside a handler (signal-safety(7)).
      guard firstSignal.compareExchange(expected: 0, desired: signal, ordering: .relaxed).exchanged else {
        _exit(128 + signal)
      }
      arrival.ring()
    }
    sigaction(SIGINT, &action, nil)
    sigaction(SIGTERM, &action, nil)
    var hangUp = sigaction()
    sigaction(SIGHUP, nil, &hangUp)
    if case .none = hangUp.__sigaction_handler.sa_handler { sigaction(SIGHUP, &action, nil) }
    // A thread pool that started this program may have left them blocked.
    var taken = sigset_t()
    sigemptyset(&taken)
    for signal in [SIGINT, SIGTERM, SIGHUP] { sigaddset(&taken, signal) }
    pthread_sigmask(SIG_UNBLOCK, &taken, nil)
  }
}

/// Bell of the first signal.
private let arrival = Doorbell()

/// First signal; 0 before. A flag that pairs with nothing.
private let firstSignal = Atomic<Int32>(0)
