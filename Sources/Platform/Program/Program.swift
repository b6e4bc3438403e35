import Glibc

/// The begin and end of a program: one sentence for an error, and an orderly end at ^C.
///
/// ```swift
/// await Program.run {
///   guard CommandLine.arguments.count == 2 else { Program.showUsage("usage: Peak FILE") }
///   // ...
/// }
/// ```
/// A program without an error ends with 0. An error is printed on stderr as one sentence, and its `ExitStatusError` is
/// the exit status, or else 1.
///
/// SIGINT, SIGTERM and SIGHUP cancel the body's task and perform the actions of `onEnd`, the newest first. Live
/// pipelines and engines of channels have registered theirs: files are completed, and channels are left at once. The
/// output of an offline run keeps its `.part`. The program then has two seconds to return from its body, and ends with
/// 128 + the signal's number. A second signal ends it at once. SIGINT counts also if it was ignored, as for programs
/// that a script starts in the background.
public enum Program {
  /// Runs the body of a program, and ends the process. Thread: main.
  // Behind `await`, a body that does not wait runs as a task, too.
  @_disfavoredOverload
  public static func run(_ body: () throws -> Void) -> Never {
    ProgramSignals.install {}
    do { try body() } catch { ProgramEnd.end(error) }
    ProgramEnd.end(nil)
  }

  /// Runs the body of a program that waits, and ends the process.
  public static func run(_ body: sending @escaping () async throws -> Void) async -> Never {
    let task = Task { try await body() }
    ProgramSignals.install { task.cancel() }
    do { try await task.value } catch { ProgramEnd.end(error) }
    ProgramEnd.end(nil)
  }

  /// Registers an action for the end of the program. Thread: any.
  ///
  /// The end of `run`, an error or a signal performs the action once, on any thread; `exit` does not. It must return
  /// within a second. Once the end has begun, it is performed at once.
  ///
  /// - Returns: The registration, to cancel it once the action is superfluous.
  @discardableResult
  public static func onEnd(_ action: @escaping @Sendable () -> Void) -> EndAction { ProgramEnd.register(action) }

  /// Prints how the program is called, and ends it: on stdout with 0 after `--help` or `-h`, else on stderr with 64.
  public static func showUsage(_ text: String) -> Never {
    let isAsked = CommandLine.arguments.contains { $0 == "--help" || $0 == "-h" }
    ProgramEnd.write(text, to: isAsked ? STDOUT_FILENO : STDERR_FILENO)
    exit(isAsked ? EX_OK : EX_USAGE)
  }

  /// An action of `onEnd`.
  public struct EndAction: Hashable, Sendable {
    let number: Int

    /// Removes the action. It may already be running. Thread: any.
    public func cancel() { ProgramEnd.remove(self) }
  }
}
