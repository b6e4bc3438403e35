import BatchProcessing
import CommandLineKit

extension CommandFailure {
  /// Wraps an error of a batch, with the exit code that belongs to it: that of the signal for a wait that one ended.
  init(batch error: BatchError) {
    let isWait = error.kind == .busy || error.kind == .cancelled
    let signal = isWait ? InterruptHandler.pending : nil
    self.init(signal ?? ExitCode(rawValue: error.exitStatus) ?? .inputOutput, error.commandMessage)
  }
}
