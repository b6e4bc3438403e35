/// Why a command ends early: the exit code, and one sentence that names the file, what is wrong and what to do.
struct CommandFailure: Error, Hashable, CustomStringConvertible {
  let exitCode: ExitCode
  /// The sentence, without a full stop at its end.
  let sentence: String

  init(_ exitCode: ExitCode, _ sentence: String) {
    self.exitCode = exitCode
    self.sentence = sentence
  }

  /// Whoever read standard output has gone: no failure, and nothing to say.
  static let closedOutput = CommandFailure(.success, "whoever was reading stdout has gone")

  /// True where nothing is to be said.
  var isQuiet: Bool { self == .closedOutput }

  /// A wrong command line: exit code 64.
  static func usage(_ sentence: String) -> CommandFailure { CommandFailure(.usage, sentence) }

  var description: String { sentence }
}

extension CommandFailure {
  /// The fields of an input that failed, within an object, where its results would be.
  func write(_ json: inout JSONWriter, of name: String) {
    json.object("input") { $0.field("path", name) }
    json.object("error") { json in
      json.field("message", sentence)
      json.field("exit_code", Int(exitCode.rawValue))
    }
  }
}
