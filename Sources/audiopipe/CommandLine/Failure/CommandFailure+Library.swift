import Engine
import NetworkIO
import Simulation

extension CommandFailure {
  /// What the library threw, with the exit code that belongs to it.
  init(_ error: any Error) {
    switch error {
    case let failure as CommandFailure: self = failure
    case is ClosedOutput: self = .closedOutput
    case let error as AudioFileError where error.isBrokenPipe && error.path == FileProcessing.standardOutputName:
      self = .closedOutput
    case let error as AudioFileError where error.reason == .cancelled:
      self.init(InterruptHandler.pending ?? .inputOutput, error.description)
    case let error as FrameProgramError:
      self.init(ExitCode(rawValue: error.category.rawValue) ?? .inputOutput, error.description)
    case let error as AudioFileError:
      self.init(ExitCode(rawValue: error.category.rawValue) ?? .inputOutput, error.description)
    case let error as EngineError where error.cause is AudioFileError: self.init(error.cause!)
    case let error as EngineError where error.code == .invalidArgument: self = .usage(error.message)
    case let error as NetworkConditionsError: self = .usage(error.description)
    case let error as NetworkError:
      if case .bind = error.reason {
        self.init(.unavailable, error.description)
      } else {
        self = .usage(error.description)
      }
    case let error as CallError: self = .usage(error.description)
    default: self.init(.inputOutput, "\(error)")
    }
  }
}
