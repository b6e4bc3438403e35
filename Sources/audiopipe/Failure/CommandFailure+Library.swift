import AudioFiles
import CallSimulation
import CommandLineKit
import Engine
import Glibc
import NetworkIO
import NetworkSimulation
import OfflineProcessing
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

extension CommandFailure {
  /// Names of standard output, in the program and as a file on a command line.
  private static let standardOutputNames = [
    FileProcessing.standardOutputName, "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1",
  ]

  /// Wraps an error of the library, with the exit code that belongs to it.
  init(_ error: any Error) {
    switch error {
    case let failure as CommandFailure: self = failure
    case is BrokenPipe: self = .brokenPipe
    case let error as AudioFileError where error.isBrokenPipe && Self.standardOutputNames.contains(error.path):
      self = .brokenPipe
    case let error as AudioFileError where error.endsEarly:
      self.init(InterruptHandler.pending ?? .inputOutput, error.description)
    case let error as FrameProgramError:
      self.init(ExitCode(rawValue: error.category.rawValue) ?? .inputOutput, error.description)
    case let error as AudioFileError:
      self.init(ExitCode(rawValue: error.category.rawValue) ?? .inputOutput, error.description)
    case let error as EngineError where error.cause is AudioFileError: self.init(error.cause!)
    case let error as EngineError where error.code == .invalidArgument: self = .usage(error.message)
    case let error as NetworkConditionsError: self = .usage(error.description)
    case let error as NetworkError:
      // A host that is unknown today is a fault of the network, not of the command line.
      switch error.reason {
      case .address, .loop: self = .usage(error.description)
      case .unknownHost, .bind, .join, .unreachable: self.init(.unavailable, error.description)
      }
    case let error as CallError: self = .usage(error.description)
    default: self.init(.inputOutput, "\(error)")
    }
  }
}
