import AudioFiles
package import CommandLineKit
import Engine
import Glibc
import Platform

extension AudioFileError {
  /// Whether the error may come from a run that was asked to stop.
  fileprivate var endsEarly: Bool {
    switch reason {
    case .cancelled, .write(ECANCELED): true
    case .noSound: InterruptHandler.pending != nil
    default: false
    }
  }
}

extension AudioFileError {
  /// Hint for samples without a header on stdin.
  fileprivate var rawHint: String {
    guard case .unknownFormat = reason, path == "stdin" else { return "" }
    return "; if these are samples without a header, name their format, such as --raw s16:48000:2"
  }
}

extension CommandFailure {
  /// Wraps an error of files and pipelines, with the exit code that belongs to it.
  package init(sound error: any Error) {
    switch error {
    case let failure as CommandFailure: self = failure
    case let error as AudioFileError where error.endsEarly:
      self.init(InterruptHandler.pending ?? .inputOutput, error.description)
    case let error as AudioFileError:
      self.init(
        ExitCode(rawValue: error.exitStatus) ?? .inputOutput,
        error.description + (error.allowsOverwriting ? " (--overwrite)" : "") + error.rawHint)
    case let error as EngineError where error.cause is AudioFileError: self.init(sound: error.cause!)
    case let error as EngineError where error.code == .invalidArgument: self = .usage(error.message)
    default: self.init(.inputOutput, "\(error)")
    }
  }
}
