import CPlatform
import Glibc

/// A shell that runs a command line, with our ends of its pipes, which never wait.
///
/// It is in a session of its own, with all that it starts: these end with it where it is ended from here, and none of
/// them is stopped for reading from a terminal whose foreground it is not.
///
/// Thread: one at a time. Whoever uses it ignores SIGPIPE; its programs get that, and SIGXFSZ, with the default action.
package final class ChildProcess {
  /// How a process ended.
  package enum Ending: Hashable {
    case exited(Int32)
    case signalled(Int32)
  }

  /// POSIX_SPAWN_SETSID of spawn.h, which Glibc's module leaves out.
  private static let newSession: Int32 = 0x80

  /// Writes to its standard input; -1 once that is closed.
  package private(set) var input: Int32
  /// Reads from its standard output; -1 where that is not a pipe of ours.
  let output: Int32
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
  ///   - environment: set on top of this process's own.
  ///   - standardOutput: a descriptor for its standard output; nil: a pipe to `output`.
  /// - Returns: the process, or the errno of what failed.
  package static func start(
    _ command: String, environment: [String: String], standardOutput: Int32?
  ) -> (process: ChildProcess?, failure: Int32) {
    var toChild: [Int32] = [-1, -1]
    var fromChild: [Int32] = [-1, -1]
    // Ours are the ends of other threads' children too unless the kernel closes them at once.
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

  /// Ends its input.
  package func closeInput() {
    if input >= 0 { close(input) }
    input = -1
  }

  /// How it ended; nil while it runs.
  func poll() -> Ending? {
    if let ending { return ending }
    var status: Int32 = 0
    let result = waitpid(identifier, &status, WNOHANG)
    if result == 0 || result < 0 && errno == EINTR { return nil }
    // wait(2): the low seven bits are the signal, the next byte the exit status. Somebody else who waits for all
    // children, as some programs do, has taken the status away.
    ProgramGroups.remove(identifier)
    ending = result < 0 ? .exited(0) : status & 0x7F == 0 ? .exited(status >> 8 & 0xFF) : .signalled(status & 0x7F)
    return ending
  }

  /// Waits until it has ended or `isEnough` says so.
  package func wait(until isEnough: () -> Bool) -> Ending? {
    var pause: UInt32 = 500
    while true {
      if let ending = poll() { return ending }
      if isEnough() { return nil }
      // A process that is not followed by a signal has no descriptor to wait at everywhere: 0.5 to 20 ms.
      usleep(pause)
      pause = min(20_000, pause * 2)
    }
  }

  /// Ends it and all that it has started, and waits for its end.
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
    // An ignored SIGPIPE would be inherited, and `yes | head` in the command would never end; nor does a program that
    // reaches the limit of a file's size expect to go on.
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
