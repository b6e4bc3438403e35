package import JSON

/// Why a command ends early: the exit code, and one sentence that names the file, what is wrong and what to do.
package struct CommandFailure: Error, Hashable, CustomStringConvertible {
  package let exitCode: ExitCode
  /// The sentence, without a full stop at its end.
  package let sentence: String

  package init(_ exitCode: ExitCode, _ sentence: String) {
    self.exitCode = exitCode
    self.sentence = sentence
  }

  /// Whoever read standard output has gone: no failure, and nothing to say.
  package static let brokenPipe = CommandFailure(.success, "whoever was reading stdout has gone")

  /// True where nothing is to be said.
  package var isQuiet: Bool { self == .brokenPipe }

  /// A wrong command line: exit code 64.
  package static func usage(_ sentence: String) -> CommandFailure { CommandFailure(.usage, sentence) }

  package var description: String { sentence }
}

extension CommandFailure {
  /// The fields of an input that failed, within an object, where its results would be.
  package func write(_ json: inout JSONWriter, of name: String) {
    json.object("input") { $0.field("path", name) }
    json.object("error") { json in
      json.field("message", sentence)
      json.field("exit_code", Int(exitCode.rawValue))
    }
  }
}
