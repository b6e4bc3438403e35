import AudioFiles
import CommandLineKit
import Engine
import Glibc
import Platform

/// Tells failures of one row from those that end the run.
enum RowFailure {
  /// Returns whether an error comes from a row alone, so that the other rows can be done.
  ///
  /// A full disk, a folder that cannot be written or a lack of memory would be met by every row.
  ///
  /// - Parameters:
  ///   - error: error of a row's work.
  ///   - input: path of the row's input.
  static func isOfRow(_ error: any Error, input: String) -> Bool {
    switch error {
    case let error as AudioFileError: isOfRow(error, input: input)
    case let error as EngineError where error.cause is AudioFileError:
      isOfRow(error.cause as! AudioFileError, input: input)
    case let error as EngineError: error.code == .invalidArgument
    case let error as CommandFailure: [.usage, .badData, .noInput].contains(error.exitCode)
    default: false
    }
  }

  private static func isOfRow(_ error: AudioFileError, input: String) -> Bool {
    switch error.category {
    case .usage, .badData, .noInput: true
    case .unavailable: false
    case .cannotCreate:
      switch error.reason {
      case .create(let code): [ENAMETOOLONG, EISDIR, ENOTDIR].contains(code)
      case .busy: false
      default: true
      }
    case .inputOutput:
      switch error.reason {
      case .read, .shrunk: true
      case .open(let code): code == EIO && error.path == input
      default: false
      }
    }
  }
}
