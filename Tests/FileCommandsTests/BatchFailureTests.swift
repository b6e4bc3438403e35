import BatchProcessing
import Testing

@testable import CommandLineKit
@testable import FileCommands

@Suite(.timeLimit(.minutes(10))) struct BatchFailureTests {
  @Test(
    "an error of a batch has its exit status as the exit code",
    arguments: [
      (.usage, .usage), (.otherWork, .usage), (.badData, .badData), (.noInput, .noInput),
      (.unavailable, .unavailable), (.cannotCreate, .cannotCreate), (.exists, .cannotCreate), (.busy, .cannotCreate),
      (.inputOutput, .inputOutput),
    ] as [(BatchError.Kind, ExitCode)])
  func exitCodes(kind: BatchError.Kind, code: ExitCode) {
    let error = BatchError(kind, "choose another folder", inCommand: "choose another --out-dir")
    #expect(CommandFailure(batch: error) == CommandFailure(code, "choose another --out-dir"))
  }
}
