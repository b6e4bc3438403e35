import Glibc

/// The actions that end a program, and the order of its end.
enum ProgramEnd {
  private struct State: Sendable {
    var nextNumber = 0
    /// Actions in the order of their registration.
    var actions: [(number: Int, run: @Sendable () -> Void)] = []
    /// Whether somebody ends the process.
    var isEnding = false
  }

  private static let state = Guarded(State())
  /// Bell of a body that has returned after a signal.
  private static let bodyEnd = Doorbell()

  /// Registers an action; once the end has begun, performs it at once.
  static func register(_ action: @escaping @Sendable () -> Void) -> Program.EndAction {
    let (number, isEnding) = state.withLock { state in
      state.nextNumber += 1
      if !state.isEnding { state.actions.append((state.nextNumber, action)) }
      return (state.nextNumber, state.isEnding)
    }
    if isEnding { action() }
    return Program.EndAction(number: number)
  }

  static func remove(_ action: Program.EndAction) {
    state.withLock { $0.actions.removeAll { $0.number == action.number } }
  }

  /// Ends the process after its body: with 0, or with an error's sentence and status.
  static func end(_ error: (any Error)?) -> Never {
    guard beginEnd() else {
      // The signal's thread ends the process.
      bodyEnd.ring()
      while true { pause() }
    }
    performActions()
    if fflush(nil) != 0 {
      let reason = String(cString: strerror(errno))
      write("the output cannot be written (\(reason)); check where it goes", to: STDERR_FILENO)
      if error == nil { exit(EX_IOERR) }
    }
    guard let error else { exit(EX_OK) }
    write("\(error)", to: STDERR_FILENO)
    exit((error as? any ExitStatusError)?.exitStatus ?? 1)
  }

  /// Ends the process after a signal, even if an action or the output does not return.
  static func end(signal: Int32, cancelBody: () -> Void) -> Never {
    let limit = Doorbell()
    try? BackgroundThread(named: "end limit") {
      limit.wait(atMostMilliseconds: 4_000)
      _exit(128 + signal)
    }.detach()
    // Else the body has ended, and its thread ends the process.
    if beginEnd() {
      cancelBody()
      performActions()
      bodyEnd.wait(atMostMilliseconds: 2_000)
      exit(128 + signal)
    }
    while true { pause() }
  }

  /// Writes a line past the buffers of the C library.
  static func write(_ line: String, to descriptor: Int32) {
    var bytes = Array(line.utf8) + [UInt8(ascii: "\n")]
    while !bytes.isEmpty {
      let count = Glibc.write(descriptor, bytes, bytes.count)
      if count < 0, errno != EINTR { return }
      bytes.removeFirst(max(0, count))
    }
  }

  private static func beginEnd() -> Bool {
    state.withLock { state in
      defer { state.isEnding = true }
      return !state.isEnding
    }
  }

  private static func performActions() {
    while let action = state.withLock({ $0.actions.popLast() }) { action.run() }
  }
}
