import CallSimulation
import CommandLineKit
import FileCommands
import NetworkIO
import NetworkSimulation

extension CommandFailure {
  /// Wraps an error of the library, with the exit code that belongs to it.
  init(_ error: any Error) {
    switch error {
    case let error as NetworkConditionsError: self = .usage(error.description)
    case let error as NetworkError:
      self.init(ExitCode(rawValue: error.exitStatus) ?? .unavailable, error.description)
    case let error as SimulationError: self = .usage(error.description)
    default: self.init(file: error)
    }
  }
}
