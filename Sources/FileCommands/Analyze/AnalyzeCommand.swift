import AudioGraph
import AudioPipeWithPitch
package import CommandLineKit
import Engine
import FrameObservers
import OfflineProcessing
import Pictures
import SoundOptions

/// `audiopipe analyze`: runs several files at a time through the meters, and reports on them in the order of the
/// inputs.
package struct AnalyzeCommand: Sendable {
  let options: AnalyzeOptions
  let console: Console

  package static func run(_ parsed: ParsedArguments, _ console: Console) throws -> ExitCode {
    try AnalyzeCommand(options: AnalyzeOptions(parsed), console: console).run()
  }

  /// Runs the analysis.
  ///
  /// - Throws: the failure of the only input, or of stdout.
  private func run() throws -> ExitCode {
    try options.picture?.checkMachine()
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
          // The caller reports the only failure.
          if options.jobs.count > 1 { console.log.error(failure.sentence) }
        }
      })
    defer { progress.finish() }
    let outcomes = JobOutcomes(jobs: options.jobs, outcomes: try pool.run())
    progress.finish()
    if let (job, outcome) = outcomes.only {
      let result = try outcome.get()
      if options.printsJSON { try console.output.writeDocument { AnalysisReport.write(&$0, result, job, options) } }
      return .success
    }
    if options.printsJSON {
      try console.output.writeDocument { json in
        outcomes.write(&json, name: \.input.name) { AnalysisReport.write(&$0, $1, $2, options) }
      }
    }
    return outcomes.conclude(console.log)
  }

  private func analyze(_ job: AnalyzeOptions.Job, _ progress: Progress) throws -> Analysis {
    let input = try job.input.opened(raw: options.rawInput)
    let tables = job.tables.mapValues { ResultFile(path: $0, mayReplace: options.overwrites) }
    let picture = options.picture.map {
      PictureFile($0, path: job.picturePath ?? $0.path, mayReplace: options.overwrites)
    }
    for table in tables.values { try table.check() }
    try picture?.check()
    var analysis = FileAnalysis(input)
    analysis.interval = options.interval
    analysis.isCancelled = { InterruptHandler.pending != nil }
    analysis.measuresLoudness = options.kinds.contains(.loudness)
    analysis.keepsLevels = options.kinds.contains(.volume)
    let wantsPitch = options.kinds.contains(.pitch)
    analysis.measuresPitch = wantsPitch || picture != nil
    analysis.keepsPitch = wantsPitch
    let pitch = Guarded(PitchSeries())
    let sound = picture == nil ? nil : SoundTrack(at: .beforeMixing)
    if let sound {
      analysis.onPitch = { row in pitch.withLock { $0.append(row) } }
      analysis.setUp = { pipeline in try sound.observe(pipeline) }
    }
    let file = try analysis.run { seconds, _ in progress.set(seconds, of: job.input.name) }
    let result = Analysis(file: file, pitch: wantsPitch ? file.pitch : nil)
    for (kind, table) in tables { try table.writeLines(result.table(kind)) }
    try picture?.write(
      SoundPicture(
        title: job.input.name,
        subtitle: SoundPicture.subtitle("", file.format, seconds: file.durationSeconds, isWhole: !file.isCancelled),
        sound: sound?.series, pitch: pitch.withLock { $0 }))
    return result
  }

  private func tell(_ result: Analysis, _ job: AnalyzeOptions.Job) throws {
    for warning in result.file.warnings { console.log.warning("\(job.input.name): \(warning)") }
    if result.file.isCancelled {
      console.log.warning("\(job.input.name): stopped before its end; the results are those up to there")
    }
    if options.printsTable {
      try console.output.writeLines(result.table(options.kinds[0]))
    } else if !options.printsJSON, job.tables.isEmpty {
      try console.output.writeLine(AnalysisReport.line(result, job))
    } else if !options.printsJSON {
      console.log.info(AnalysisReport.line(result, job))
    }
  }
}
