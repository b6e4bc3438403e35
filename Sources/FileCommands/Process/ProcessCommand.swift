package import CommandLineKit
import Engine
import Glibc
import OfflineProcessing

/// `audiopipe process`: files through the whole pipeline, offline.
package enum ProcessCommand {
  package static func run(_ parsed: ParsedArguments, _ console: Console) throws -> ExitCode {
    let options = try ProcessOptions(parsed)
    try options.picture?.checkMachine()
    do {
      try options.frameProgram?.check()
    } catch {
      throw CommandFailure(file: error)
    }
    if let warning = options.warningOfName { console.log.warning(warning) }
    if options.isDryRun { return try DryRun(options: options, console: console).run() }
    // Reported before anything is drawn on that terminal.
    if options.jobs.contains(where: { $0.output == .standardOutput }), isatty(1) == 1 {
      throw CommandFailure.usage("-o - writes sound, and stdout is a terminal; send it to a program or a file")
    }
    return try JobRunner(options, console).run()
  }
}
