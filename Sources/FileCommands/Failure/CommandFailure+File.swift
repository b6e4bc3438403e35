import AudioFiles
package import CommandLineKit
import OfflineProcessing
import Platform
import SoundOptions

extension CommandFailure {
  /// Names of standard output, in the program and as a file on a command line.
  private static let standardOutputNames = [
    FileProcessing.standardOutputName, "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1",
  ]

  /// Wraps an error of files, programs and pipelines, with the exit code that belongs to it.
  package init(file error: any Error) {
    switch error {
    case is BrokenPipe: self = .brokenPipe
    case let error as AudioFileError where error.isBrokenPipe && Self.standardOutputNames.contains(error.path):
      self = .brokenPipe
    case let error as FrameProgramError:
      self.init(ExitCode(rawValue: error.category.rawValue) ?? .inputOutput, error.description)
    case let error as EngineError where error.cause is AudioFileError: self.init(file: error.cause!)
    default: self.init(sound: error)
    }
  }
}
