import AudioFiles
import CallSimulation
import ChannelCommands
import CommandLineKit
import Engine
import Platform

/// The file of `--script`.
enum ScriptFile {
  private static let limit = 16 << 20

  /// Reads the script.
  ///
  /// - Throws: exit code 66 if it cannot be read, 65 if it is not a script.
  static func read(_ path: String) throws(CommandFailure) -> CallScript {
    switch readText(path, limit: limit) {
    case .success(let text):
      do {
        return try CallScript(parsing: text) { try NetworkOptions.trace($0) }
      } catch {
        throw failure(error, path: path)
      }
    case .failure(.tooLong): throw CommandFailure(.badData, "\(path): this script is longer than 16 MiB; cut it")
    case .failure(.number(let code)):
      throw CommandFailure(.noInput, "\(path): the script cannot be read (\(systemErrorText(code))); check the path")
    }
  }

  /// Wraps an error of a script, with its path; other errors stay as everywhere.
  static func failure(_ error: any Error, path: String?) -> CommandFailure {
    guard let error = error as? ScriptError else { return CommandFailure(error) }
    let ending = error.unknownWord.flatMap { word in
      Suggestion.nearest(to: word, among: error.allowedWords).map { "; did you mean '\($0)'?" }
    }
    let code = error.cause.flatMap { ExitCode(rawValue: $0.category.rawValue) } ?? .badData
    return CommandFailure(code, (path.map { "\($0): " } ?? "") + error.sentence(ending: ending))
  }
}
