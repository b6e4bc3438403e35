package import JSON

/// The early end of a command: its exit code, and a sentence that names the file, the fault and a remedy.
package struct CommandFailure: Error, Hashable, CustomStringConvertible {
  package let exitCode: ExitCode
  /// Sentence for the user, without a full stop at its end.
  package let sentence: String

  package init(_ exitCode: ExitCode, _ sentence: String) {
    self.exitCode = exitCode
    self.sentence = sentence
  }

  /// The reader of standard output has closed it: not a failure, and without a message.
  package static let brokenPipe = CommandFailure(.success, "the reader of stdout has closed it")

  /// Whether the failure has no message.
  package var isQuiet: Bool { self == .brokenPipe }

  /// Returns the failure for a wrong command line: exit code 64.
  package static func usage(_ sentence: String) -> CommandFailure { CommandFailure(.usage, sentence) }

  package var description: String { sentence }
}

extension CommandFailure {
  /// Writes the fields of an input that failed into an object, in place of its results.
  package func write(_ json: inout JSONWriter, of name: String) {
    json.object("input") { $0.field("path", name) }
    json.object("error") { json in
      json.field("message", sentence)
      json.field("exit_code", Int(exitCode.rawValue))
    }
  }
}
