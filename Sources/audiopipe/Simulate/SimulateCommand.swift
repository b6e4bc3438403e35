import AudioGraph
import Engine
import Simulation

/// `audiopipe simulate`: files as users of one channel, on a virtual clock.
struct SimulateCommand {
  let options: SimulateOptions
  let console: Console

  static func run(_ parsed: ParsedArguments, _ console: Console) throws -> ExitCode {
    try SimulateCommand(options: SimulateOptions(parsed), console: console).run()
  }

  private func run() throws -> ExitCode {
    let folder = OutputFolder(options.call.outputs.eachFolder)
    let newFolder = try folder?.checkedIfNew()
    for path in options.soundPaths + [options.reportPath].compactMap({ $0 }) {
      try ResultFile(path: path, mayReplace: options.overwrites).check(newFolder: newFolder)
    }
    try folder?.make()
    let clock = SystemClock()
    let start = clock.nowNanoseconds
    let progress = Progress(
      mode: options.progress.resolved(isInteractive: console.isInteractive, isQuiet: options.common.isQuiet),
      total: options.call.durationSeconds.map { .seconds($0) }, errors: console.errors,
      now: { .nanoseconds(clock.nowNanoseconds - start) })
    let outcome = Result {
      try options.call.run(
        progress: { seconds, _ in progress.set(seconds, of: "the call") },
        shouldStop: { InterruptHandler.pending != nil })
    }
    progress.finish()
    let result = try outcome.mapError { CommandFailure($0) }.get()
    for warning in result.warnings { console.log.warning(warning) }
    let report = SimulateReport(call: options.call, result: result)
    if let path = options.reportPath {
      try ResultFile(path: path, mayReplace: options.overwrites).write(report.json + "\n")
    }
    if options.printsJSON { try console.output.writeLine(report.json) } else { try console.output.write(report.table) }
    return .success
  }
}
