import CommandLineKit
import Engine
import Glibc
import OfflineProcessing
import Synchronization

/// ^C, SIGTERM and a terminal that is closed (SIGHUP): the first asks the job to finish its files and leave, the second
/// leaves at once. What follows within 200 ms is the same one, as where a whole group is signalled after one of it
/// (`timeout` of coreutils does that).
///
/// A job polls `pending` between frames. Reads that wait are woken up with EINTR. SIGPIPE is ignored, so that a write
/// to a pipe without a reader fails with EPIPE, and SIGXFSZ, so that one to a file as large as it may be fails with
/// EFBIG; a program that is started from here must get their default actions back.
enum InterruptHandler {
  /// Takes the signals over; called once, before any thread is started.
  static func install() {
    // Touched here, so that no handler is the one that initialises it.
    pendingSignal.store(0, ordering: .relaxed)
    firstMoment.store(0, ordering: .relaxed)
    ProgramGroups.prepare()
    var action = sigaction()
    // Neither SA_RESTART nor a mask: waiting reads end, and a second signal gets through.
    action.__sigaction_handler.sa_handler = { signal in
      // Only atomics, clocks, kill and _exit: little else is safe inside a handler (signal-safety(7)).
      var now = timespec()
      clock_gettime(CLOCK_MONOTONIC, &now)
      let moment = max(1, now.tv_sec * 1_000 + now.tv_nsec / 1_000_000)
      pendingSignal.store(signal, ordering: .relaxed)
      // One step, since another thread may take the second meanwhile.
      let (isFirst, first) = firstMoment.compareExchange(expected: 0, desired: moment, ordering: .relaxed)
      guard !isFirst, moment - first > 200 else { return }
      ProgramGroups.endAll()
      _exit(128 + signal)
    }
    // Also where it is ignored, as a script's shell has it for what it starts in the background: `kill -INT` is how a
    // script ends a recording.
    sigaction(SIGINT, &action, nil)
    sigaction(SIGTERM, &action, nil)
    // Started by nohup it is ignored, and stays so.
    var hangUp = sigaction()
    sigaction(SIGHUP, nil, &hangUp)
    if case .none = hangUp.__sigaction_handler.sa_handler { sigaction(SIGHUP, &action, nil) }
    // Swift takes it for a crash: it would print all threads, and go on.
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

  /// How the program shall end, once a signal has come; nil before. Cheap: one relaxed load.
  static var pending: ExitCode? {
    switch pendingSignal.load(ordering: .relaxed) {
    case 0: nil
    case SIGTERM: .terminated
    case SIGHUP: .hungUp
    default: .interrupted
    }
  }
}

/// The signal that came first or last; 0 before. Pairs with nothing: a flag, polled.
private let pendingSignal = Atomic<Int32>(0)

/// When the first came, in milliseconds of the monotonic clock; 0 before.
private let firstMoment = Atomic<Int>(0)
