import AudioGraph
import CallSimulation
import CommandLineKit
import Engine
import FileCommands
import Pictures
import SoundOptions

/// `audiopipe simulate`: runs files as users of one channel, on a virtual clock.
struct SimulateCommand {
  let options: SimulateOptions
  let console: Console

  static func run(_ parsed: ParsedArguments, _ console: Console) throws -> ExitCode {
    try SimulateCommand(options: SimulateOptions(parsed), console: console).run()
  }

  private func run() throws -> ExitCode {
    try options.picture?.checkMachine()
    let picture = options.picture.map { PictureFile($0, path: $0.path, mayReplace: options.overwrites) }
    let folder = OutputFolder(options.call.outputs.eachFolder)
    let newFolder = try folder?.checkedIfNew()
    for path in options.soundPaths + [options.reportPath, options.call.outputs.capturePath].compactMap({ $0 }) {
      try ResultFile(path: path, mayReplace: options.overwrites).check(newFolder: newFolder)
    }
    try picture?.check(newFolder: newFolder)
    let clock = SystemClock()
    let start = clock.nowNanoseconds
    let progress = Progress(
      mode: options.progress.resolved(
        isInteractive: console.canShowBar(besideLines: options.resultFormat == .jsonLines),
        isQuiet: options.common.isQuiet),
      total: options.call.durationSeconds.map { .seconds($0) }, errors: console.errors,
      now: { .nanoseconds(clock.nowNanoseconds - start) })
    let lines = SimulateLines(options.resultFormat == .jsonLines ? console.output : nil)
    var isNewFolder = false
    defer { if isNewFolder { folder?.removeIfEmpty() } }
    let outcome = Result {
      try options.call.run(
        beforeWriting: { isNewFolder = try folder?.make() == true },
        progress: { seconds, _ in progress.set(seconds, of: "the call") }, onEvent: { lines.write($0) },
        shouldStop: { InterruptHandler.pending != nil })
    }
    progress.finish()
    let result = try outcome.mapError { ScriptFile.failure($0, path: options.scriptPath) }.get()
    for warning in result.warnings { console.log.warning(warning) }
    let isWhole = tellFailures(result.events)
    let report = SimulateReport(call: options.call, result: result)
    if let path = options.reportPath {
      try ResultFile(path: path, mayReplace: options.overwrites).write(report.json + "\n")
    }
    try picture?.write(CallPicture(seed: options.call.seed, result: result))
    switch options.resultFormat {
    case .json: try console.output.writeLine(report.json)
    case .jsonLines: try lines.finish(report)
    case .text: try console.output.write(report.table)
    }
    return isWhole ? .success : .inputOutput
  }

  /// Reports failures on stderr.
  ///
  /// - Returns: false if a file is not whole.
  private func tellFailures(_ events: [SimulationEvent]) -> Bool {
    var isWhole = true
    for event in events {
      switch event.kind {
      case .script(let index, let action, .some(let refusal)):
        console.log.warning("event \(index), \(action.name.rawValue) at \(event.seconds) s: \(refusal)")
      case .pipeline(.warning(let warning), _): console.log.warning(warning.message)
      case .pipeline(.recordingFailed(_, let reason), _):
        console.log.error(reason)
        isWhole = false
      default: break
      }
    }
    return isWhole
  }
}
