import Glibc
import Synchronization

/// SIGUSR1, which pauses and resumes a recording off a terminal.
enum PauseSignal {
  /// Handles the signal from now on.
  static func install() {
    // Touched here, so that no handler initializes it.
    pauseRequest.store(false, ordering: .relaxed)
    signal(SIGUSR1) { _ in pauseRequest.store(true, ordering: .relaxed) }
  }

  /// Returns whether the signal has come since the previous call.
  static func take() -> Bool { pauseRequest.exchange(false, ordering: .relaxed) }
}

/// Whether a signal waits to be taken. A polled flag that pairs with nothing.
private let pauseRequest = Atomic<Bool>(false)
