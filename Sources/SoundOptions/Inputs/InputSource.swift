package import AudioFiles
package import CommandLineKit
import Engine
package import OfflineProcessing

/// Source of one job's sound.
package enum InputSource: Hashable, Sendable {
  case standardInput
  case file(String)
  /// A file with a name that is not a text, in the form of messages: a repaired name would be that of another file.
  case notUTF8(String)

  /// Creates the input that an argument or a line of a list names; `-` is stdin.
  package init(_ argument: String) {
    self = argument == "-" ? .standardInput : Argument.repaired(argument).map { .notUTF8($0) } ?? .file(argument)
  }

  /// Name of the input in messages.
  package var name: String {
    switch self {
    case .standardInput: "stdin"
    case .file(let path), .notUTF8(let path): path
    }
  }

  /// Returns the input for the library; with `raw`, stdin is samples without a header.
  ///
  /// - Throws: exit code 66 if the input cannot be named, which it reports at its turn, beside inputs that can.
  package func opened(raw: RawFormat?) throws(CommandFailure) -> FileProcessing.Input {
    switch self {
    case .standardInput: .descriptor(0, name: "stdin", raw: raw)
    case .file(let path): .path(path)
    case .notUTF8(let name): throw CommandFailure(.noInput, "\(name): the name is not UTF-8; rename the file")
    }
  }

  /// Returns a reader of the input; an interrupt ends the wait for a pipe.
  ///
  /// - Throws: exit code 66 if the input cannot be named; `AudioFileError` if it cannot be read.
  package func reader(raw: RawFormat?) throws -> AudioFileReader {
    let isCancelled = { @Sendable in InterruptHandler.pending != nil }
    switch try opened(raw: raw) {
    case .path(let path): return try .open(path: path, isCancelled: isCancelled)
    case .descriptor(let descriptor, let name, let raw):
      return try .open(descriptor: descriptor, name: name, raw: raw, isCancelled: isCancelled)
    }
  }
}
