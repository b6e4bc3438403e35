import Glibc

/// Another program that runs beside a test, silent, until its value ends: then it and all it has started are killed.
///
/// It is waited for by its number. Foundation's `Process` waits for the end of a descriptor that every other program
/// started at that moment may hold, too; a zombie that nobody takes then keeps the monitor of exit tests spinning.
public struct BackgroundProgram: ~Copyable {
  private let pid: pid_t

  /// Starts the program at `path`.
  public init(_ path: String, _ arguments: [String]) {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] {
      posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0)
    }
    // Nobody else's end is held up by this program, either.
    for descriptor in (STDERR_FILENO + 1)..<1_024 { posix_spawn_file_actions_addclose(&actions, descriptor) }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    // Under nohup, a hang-up is ignored here, and would be there.
    sigaddset(&signals, SIGHUP)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    posix_spawnattr_setpgroup(&attributes, 0)
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
    var words = ([path] + arguments).map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    var pid = pid_t()
    let result = posix_spawn(&pid, path, &actions, &attributes, &words, environ)
    precondition(result == 0, "\(path) does not start: \(String(cString: strerror(result)))")
    self.pid = pid
  }

  deinit {
    kill(-pid, SIGKILL)
    while waitpid(pid, nil, 0) < 0, errno == EINTR {}
  }
}
