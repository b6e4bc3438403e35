import CommandLineKit
import CommandTestSupport

@testable import FileCommands

/// The typed options of a `process` command line, split at spaces.
func processOptions(_ line: String) throws -> ProcessOptions {
  try ProcessOptions(parse(line.split(separator: " ").map(String.init), ProcessDeclaration.process))
}
