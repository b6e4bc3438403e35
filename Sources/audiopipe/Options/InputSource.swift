import AudioFiles
import CommandLineKit
import Engine
import OfflineProcessing

/// Where one job reads from.
enum InputSource: Hashable, Sendable {
  case standardInput
  case file(String)
  /// A file whose name is no text, as messages show it: what was repaired would name another.
  case notUTF8(String)

  /// The input that an argument or a line of a list names, `-` being stdin.
  init(_ argument: String) {
    self = argument == "-" ? .standardInput : Argument.repaired(argument).map { .notUTF8($0) } ?? .file(argument)
  }

  /// The input as messages name it.
  var name: String {
    switch self {
    case .standardInput: "stdin"
    case .file(let path), .notUTF8(let path): path
    }
  }

  /// The input as the library takes it; with `raw`, stdin is samples without a header.
  ///
  /// Throws: exit code 66 where it cannot be named, which is told when its turn comes, beside others that can.
  func opened(raw: RawFormat?) throws(CommandFailure) -> FileProcessing.Input {
    switch self {
    case .standardInput: .descriptor(0, name: "stdin", raw: raw)
    case .file(let path): .path(path)
    case .notUTF8(let name): throw CommandFailure(.noInput, "\(name): the name is not UTF-8; rename the file")
    }
  }
}
