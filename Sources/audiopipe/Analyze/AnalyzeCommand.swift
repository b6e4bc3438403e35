import AudioGraph
import Engine

/// `audiopipe analyze`: files through the meters, so many at a time; what is said of them is in the order of the inputs.
struct AnalyzeCommand: Sendable {
  let options: AnalyzeOptions
  let console: Console

  static func run(_ parsed: ParsedArguments, _ console: Console) throws -> ExitCode {
    try AnalyzeCommand(options: AnalyzeOptions(parsed), console: console).run()
  }

  /// Throws: why the only input failed, or that stdout cannot be written.
  private func run() throws -> ExitCode {
    let clock = SystemClock()
    let start = clock.nowNanoseconds
    let progress = Progress(
      mode: options.progress.resolved(isInteractive: console.isInteractive, isQuiet: options.common.isQuiet),
      total: nil, errors: console.errors, now: { .nanoseconds(clock.nowNanoseconds - start) })
    let pool = JobPool(
      jobCount: options.jobs.count, workerCount: options.jobCount,
      work: { try analyze(options.jobs[$0], progress) },
      onEnd: { index, outcome in
        switch outcome {
        case .success(let result): try tell(result, options.jobs[index])
        case .failure(let failure):
          // The only one is told by whoever called.
          if options.jobs.count > 1 { console.log.error(failure.sentence) }
        }
      })
    defer { progress.finish() }
    let outcomes = JobOutcomes(jobs: options.jobs, outcomes: try pool.run())
    progress.finish()
    if let (job, outcome) = outcomes.only {
      let result = try outcome.get()
      if options.printsJSON { try console.output.writeLine(AnalysisReport.json(result, job, options)) }
      return .success
    }
    if options.printsJSON {
      try console.output.writeLine(
        outcomes.json(name: \.input.name) { AnalysisReport.write(&$0, $1, $2, options) })
    }
    return outcomes.conclude(console.log)
  }

  private func analyze(_ job: AnalyzeOptions.Job, _ progress: Progress) throws -> Analysis {
    let tables = job.tables.mapValues { TextFile(path: $0, mayReplace: options.overwrites) }
    for table in tables.values { try table.check() }
    var analysis = FileAnalysis(
      {
        switch job.input {
        case .standardInput: .descriptor(0, name: "stdin", raw: options.rawInput)
        case .file(let path): .path(path)
        }
      }())
    analysis.interval = options.interval
    analysis.isCancelled = { InterruptHandler.pending != nil }
    analysis.measuresLoudness = options.kinds.contains(.loudness)
    let pitch = options.kinds.contains(.pitch) ? PitchTrack() : nil
    if let pitch { analysis.observers.append(pitch.request) }
    let file = try analysis.run { seconds, _ in progress.set(seconds, of: job.input.name) }
    let result = Analysis(
      file: file,
      pitch: try pitch?.finish(seconds: Double(file.samplesPerChannel) / Double(file.format.sampleRate)))
    for (kind, table) in tables { try table.write(result.table(kind)) }
    return result
  }

  private func tell(_ result: Analysis, _ job: AnalyzeOptions.Job) throws {
    for warning in result.file.warnings { console.log.warning("\(job.input.name): \(warning)") }
    if result.file.isCancelled {
      console.log.warning("\(job.input.name): stopped before its end; the results are those up to there")
    }
    if options.printsTable {
      try console.output.write(result.table(options.kinds[0]))
    } else if !options.printsJSON, job.tables.isEmpty {
      try console.output.writeLine(AnalysisReport.line(result, job))
    } else if !options.printsJSON {
      console.log.info(AnalysisReport.line(result, job))
    }
  }
}
