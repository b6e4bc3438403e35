import Glibc
import Synchronization

/// Handler of ^C, SIGTERM and a closed terminal (SIGHUP): the first asks the job to finish its files and leave.
///
/// The second leaves at once. A signal within 200 ms of the first one counts as the same. For instance, `timeout` of
/// coreutils signals a whole group after one of its members.
///
/// A job polls `pending` between frames. Reads that wait are woken up with EINTR. SIGPIPE is ignored, so that a write
/// to a pipe without a reader fails with EPIPE. SIGXFSZ is ignored, so that a write beyond the largest file size fails
/// with EFBIG. A server may take SIGHUP as a request to read its settings again (`reloadOnHangUp`).
///
/// A program that is started from here must get the default actions of all these signals back.
package enum InterruptHandler {
  /// Installs the handlers; called once, before any thread is started.
  ///
  /// - Parameter endPrograms: ends the programs that were started from here, before the process exits at once; it runs
  ///   within a signal handler (signal-safety(7)).
  package static func install(endingPrograms endPrograms: @escaping @convention(c) () -> Void = {}) {
    endStartedPrograms = endPrograms
    // Touched here, so that no handler initializes it.
    pendingSignal.store(0, ordering: .relaxed)
    firstMoment.store(0, ordering: .relaxed)
    var action = sigaction()
    // Neither SA_RESTART nor a mask: waiting reads end, and a second signal gets through.
    action.__sigaction_handler.sa_handler = { signal in
      // Only atomics, clocks, kill and _exit: little else is safe inside a handler (signal-safety(7)).
      var now = timespec()
      clock_gettime(CLOCK_MONOTONIC, &now)
      let moment = max(1, now.tv_sec * 1_000 + now.tv_nsec / 1_000_000)
      pendingSignal.store(signal, ordering: .relaxed)
      // One step, since another thread may take the second signal meanwhile.
      let (isFirst, first) = firstMoment.compareExchange(expected: 0, desired: moment, ordering: .relaxed)
      guard !isFirst, moment - first > 200 else { return }
      endStartedPrograms()
      _exit(128 + signal)
    }
    // Also if it is ignored, as by a script's shell for programs in the background: a script ends a recording by
    // `kill -INT`.
    sigaction(SIGINT, &action, nil)
    sigaction(SIGTERM, &action, nil)
    // Under nohup it is ignored, and stays so.
    var hangUp = sigaction()
    sigaction(SIGHUP, nil, &hangUp)
    if case .none = hangUp.__sigaction_handler.sa_handler { sigaction(SIGHUP, &action, nil) }
    // Swift takes it for a crash: it would print all threads, and continue.
    signal(SIGQUIT, SIG_DFL)
    signal(SIGPIPE, SIG_IGN)
    signal(SIGXFSZ, SIG_IGN)
    // A thread pool that started this program may have left them blocked.
    var taken = sigset_t()
    sigemptyset(&taken)
    sigaddset(&taken, SIGINT)
    sigaddset(&taken, SIGTERM)
    sigaddset(&taken, SIGHUP)
    sigaddset(&taken, SIGQUIT)
    pthread_sigmask(SIG_UNBLOCK, &taken, nil)
  }

  /// Takes SIGHUP from now on as a request to read the settings again, and no longer as the end of the terminal. An
  /// ignored SIGHUP becomes a request, too.
  package static func reloadOnHangUp() {
    // Touched here, so that no handler initializes it.
    reloadRequest.store(false, ordering: .relaxed)
    var action = sigaction()
    action.__sigaction_handler.sa_handler = { _ in reloadRequest.store(true, ordering: .relaxed) }
    sigaction(SIGHUP, &action, nil)
  }

  /// Returns whether SIGHUP has come since the last call, after `reloadOnHangUp`.
  package static func takeReload() -> Bool { reloadRequest.exchange(false, ordering: .relaxed) }

  /// Exit code for the pending signal; nil before the first. Cheap: one relaxed load.
  package static var pending: ExitCode? {
    switch pendingSignal.load(ordering: .relaxed) {
    case 0: nil
    case SIGTERM: .terminated
    case SIGHUP: .hungUp
    default: .interrupted
    }
  }
}

// SAFETY: written once, before the first handler is installed.
nonisolated(unsafe) private var endStartedPrograms: @convention(c) () -> Void = {}

/// Newest signal; 0 before the first. A polled flag that pairs with nothing.
private let pendingSignal = Atomic<Int32>(0)

/// Whether SIGHUP waits to be taken as a request. A polled flag that pairs with nothing.
private let reloadRequest = Atomic<Bool>(false)

/// Time of the first signal, in milliseconds of the monotonic clock; 0 before.
private let firstMoment = Atomic<Int>(0)
