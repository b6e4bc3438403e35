import CPlatform
import Glibc

/// A shell that runs a command line, with this process's ends of its pipes, which never block.
///
/// The shell has its own session, with all processes that it starts. If `kill` ends the shell, they end with it. None
/// of them is stopped for a read from a terminal in the background.
///
/// Thread: one at a time. The program that uses it ignores SIGPIPE; the child's programs have the default action for
/// SIGPIPE and SIGXFSZ.
package final class ChildProcess {
  /// The end of a process.
  package enum Ending: Hashable {
    case exited(Int32)
    case signalled(Int32)
  }

  /// POSIX_SPAWN_SETSID of spawn.h, which Glibc's module leaves out.
  private static let newSession: Int32 = 0x80

  /// Descriptor that writes to the child's standard input; -1 once it is closed.
  package private(set) var input: Int32
  /// Descriptor that reads from the child's standard output; -1 if that is not a pipe to this process.
  package let output: Int32
  private let identifier: pid_t
  private var ending: Ending?

  private init(identifier: pid_t, input: Int32, output: Int32) {
    self.identifier = identifier
    self.input = input
    self.output = output
    ProgramGroups.add(identifier)
    for descriptor in [input, output] where descriptor >= 0 { _ = fcntl(descriptor, F_SETFL, O_NONBLOCK) }
  }

  deinit {
    closeInput()
    if output >= 0 { close(output) }
    if ending == nil { kill() }
  }

  /// Starts `/bin/sh -c command`.
  ///
  /// - Parameters:
  ///   - command: command line for the shell.
  ///   - environment: variables in addition to those of this process.
  ///   - standardOutput: descriptor for the child's standard output; nil for a pipe to `output`.
  /// - Returns: the process, or the errno of the failure.
  package static func start(
    _ command: String, environment: [String: String], standardOutput: Int32?
  ) -> (process: ChildProcess?, failure: Int32) {
    var toChild: [Int32] = [-1, -1]
    var fromChild: [Int32] = [-1, -1]
    // Children of other threads would inherit these ends, unless the kernel marks them close-on-exec at once.
    guard cplatform_pipe(&toChild) == 0 else { return (nil, errno) }
    if standardOutput == nil, cplatform_pipe(&fromChild) != 0 {
      let failure = errno
      for end in toChild { close(end) }
      return (nil, failure)
    }
    var identifier = pid_t()
    let failure = spawn(
      &identifier, command, environment: environment, input: toChild[0], output: standardOutput ?? fromChild[1])
    close(toChild[0])
    if fromChild[1] >= 0 { close(fromChild[1]) }
    guard failure == 0 else {
      close(toChild[1])
      if fromChild[0] >= 0 { close(fromChild[0]) }
      return (nil, failure)
    }
    return (ChildProcess(identifier: identifier, input: toChild[1], output: fromChild[0]), 0)
  }

  /// Ends the child's input.
  package func closeInput() {
    if input >= 0 { close(input) }
    input = -1
  }

  /// Returns the end of the process; nil while it runs.
  func poll() -> Ending? {
    if let ending { return ending }
    var status: Int32 = 0
    let result = waitpid(identifier, &status, WNOHANG)
    if result == 0 || result < 0 && errno == EINTR { return nil }
    // wait(2): the low seven bits are the signal, the next byte the exit status. If other code waits for all children,
    // as some programs do, it has taken the status.
    ProgramGroups.remove(identifier)
    ending = result < 0 ? .exited(0) : status & 0x7F == 0 ? .exited(status >> 8 & 0xFF) : .signalled(status & 0x7F)
    return ending
  }

  /// Waits until the process has ended or `isEnough` returns true.
  package func wait(until isEnough: () -> Bool) -> Ending? {
    var pause: UInt32 = 500
    while true {
      if let ending = poll() { return ending }
      if isEnough() { return nil }
      // Without a signal, not every system has a descriptor to wait for a process: poll every 0.5 to 20 ms.
      usleep(pause)
      pause = min(20_000, pause * 2)
    }
  }

  /// Ends the process and all processes that it has started, and waits for its end.
  func kill() {
    guard poll() == nil else { return }
    Glibc.kill(-identifier, SIGKILL)
    _ = wait { false }
  }

  private static func spawn(
    _ identifier: inout pid_t, _ command: String, environment: [String: String], input: Int32, output: Int32
  ) -> Int32 {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, input, 0)
    posix_spawn_file_actions_adddup2(&actions, output, 1)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // An ignored SIGPIPE would be inherited, and `yes | head` in the command would never end. A program that reaches
    // the limit of a file's size does not expect to continue either.
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    sigaddset(&signals, SIGPIPE)
    sigaddset(&signals, SIGXFSZ)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | newSession))
    var words: [UnsafeMutablePointer<CChar>?] = ["/bin/sh", "-c", command].map { (word: String) in strdup(word) }
    var variables: [UnsafeMutablePointer<CChar>?] = merged(environment).map { (text: String) in strdup(text) }
    defer { for text in words + variables { free(text) } }
    words.append(nil)
    variables.append(nil)
    return posix_spawn(&identifier, "/bin/sh", &actions, &attributes, &words, &variables)
  }

  private static func merged(_ environment: [String: String]) -> [String] {
    var result = environment.map { "\($0.key)=\($0.value)" }
    guard var own = cplatform_environment() else { return result }
    // SAFETY: the list ends with a null pointer (environ(7)).
    while let text = own.pointee {
      let variable = String(cString: text)
      if environment[String(variable.prefix { $0 != "=" })] == nil { result.append(variable) }
      own += 1
    }
    return result
  }
}
