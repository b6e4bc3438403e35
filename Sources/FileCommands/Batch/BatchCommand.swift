import AudioFiles
import BatchProcessing
package import CommandLineKit
import Engine
import Glibc
import JSON
import SoundOptions

/// `audiopipe batch`: one worker of many, or the merge of their results.
package struct BatchCommand: Sendable {
  let options: BatchOptions
  let manifest: Manifest
  let console: Console

  package static func run(_ parsed: ParsedArguments, _ console: Console) throws -> ExitCode {
    try run(parsed, console, environment: environmentVariable)
  }

  static func run(
    _ parsed: ParsedArguments, _ console: Console, environment: (String) -> String?
  ) throws -> ExitCode {
    do {
      return try runBatch(parsed, console, environment: environment)
    } catch let error as BatchError {
      throw CommandFailure(batch: error)
    }
  }

  private static func runBatch(
    _ parsed: ParsedArguments, _ console: Console, environment: (String) -> String?
  ) throws -> ExitCode {
    let options = try BatchOptions(parsed, environment: environment)
    let manifest = try Manifest(path: options.manifest, isCancelled: { InterruptHandler.pending != nil })
    let command = BatchCommand(options: options, manifest: manifest, console: console)
    if options.action == .merge { return try command.merge() }
    try command.checkNames()
    if let origin = options.shard.origin {
      console.log.info("shard \(options.shard.shard.text) by \(origin)")
    }
    return options.action == .plan ? try command.plan() : try command.work()
  }

  /// Checks that no output replaces another, or an input.
  private func checkNames() throws(BatchError) {
    guard options.writesFiles(of: manifest) else { return }
    try NameCheck.check(manifest, comparesStems: options.writesBeside) { row throws(BatchError) in
      let name = try options.outputName(of: row, in: manifest)
      // A name after the input's own extension is a fault of that file alone.
      let isChosen = row.output != nil || !options.name.hasExtension
      if isChosen, options.copies(row), options.container == nil, AudioContainer(path: name.path) == nil {
        throw .usage(
          "\(manifest.name), row \(row.index): the extension of the output '\(name.path)' is not a kind of sound; use one "
            + "such as .wav, or --format")
      }
      return name
    }
    // In a folder that is still to be made, nothing can be replaced.
    guard fileKind(of: options.folder) != nil else { return }
    try InputCheck.check(manifest) { row throws(BatchError) in
      try options.paths(of: row, in: manifest).replaced.map { "\(options.folder)/\($0)" }
    }
  }

  private func work() throws -> ExitCode {
    let folder = OutputFolder(options.folder)
    let isNewFolder = try folder?.make() == true
    // With results it is not empty.
    defer { if isNewFolder { folder?.removeIfEmpty() } }
    let shared = SharedLengths(folder: options.folder, manifest: manifest)
    let survey = LengthSurvey(manifest: manifest, shared: shared, workerCount: options.jobCount)
    let lengths = try survey.lengths(keeps: true).milliseconds
    let plan = ShardPlan(durations: lengths, shard: options.shard.shard)
    guard InterruptHandler.pending == nil else { return .success }
    let run = try BatchRun(options, manifest, plan, lengths, console)
    return try run.run()
  }

  /// Prints the shard; its files are not opened if their lengths are known.
  private func plan() throws -> ExitCode {
    let shared = SharedLengths(folder: options.folder, manifest: manifest)
    let survey = LengthSurvey(manifest: manifest, shared: shared, workerCount: options.jobCount)
    let lengths = try survey.lengths(keeps: false)
    if let path = lengths.missingPath {
      console.log.warning("\(lengths.missingCount) of \(manifest.count) files are not there, such as \(path)")
    }
    let plan = ShardPlan(durations: lengths.milliseconds, shard: options.shard.shard)
    try BatchPlanReport(options: options, manifest: manifest, plan: plan).write(to: console.output)
    return .success
  }

  private func merge() throws -> ExitCode {
    let table = try MergedTable(
      folder: options.folder, manifest: manifest, count: options.shardCount,
      options: options.work.isEmpty ? nil : options.work)
    try console.output.writeLines(options.tableFormat.lines(table.lines))
    let missing = table.missingCount
    if missing > 0 {
      var left = 100
      try manifest.forEach { position, row throws(BatchError) in
        guard left > 0, table.isMissing(position) else { return }
        left -= 1
        console.log.error("\(row.path): row \(row.index) has no result")
      }
      if missing > 100 { console.log.error("and \(missing - 100) more rows have no result") }
    }
    let begun = Set(table.shards.map(\.number))
    let absent = (1...table.shardCount).filter { !begun.contains($0) }
    if !absent.isEmpty {
      let names = absent.prefix(20).map(String.init).joined(separator: ", ") + (absent.count > 20 ? ", ..." : "")
      console.log.error("shards that have not begun: \(names) of \(table.shardCount)")
    }
    if missing > 0 {
      console.log.error("\(missing) of \(manifest.count) rows are missing; run their shards again")
    }
    if table.failedCount > 0 { console.log.error("\(table.failedCount) of \(manifest.count) rows failed") }
    return missing > 0 || table.failedCount > 0 ? .someFailed : .success
  }
}
