import AudioGraph
import Engine
import Synchronization

/// `audiopipe process`: files through the whole pipeline, offline.
enum ProcessCommand {
  static func run(_ parsed: ParsedArguments, _ console: Console) throws -> ExitCode {
    let options = try ProcessOptions(parsed)
    if options.jobs.count == 1 {
      try run(options.jobs[0], of: options, console, showsProgress: true)
      return .success
    }
    return runSeveral(options, console)
  }

  /// Runs independent jobs, so many at a time. A job that fails is reported and the others go on.
  private static func runSeveral(_ options: ProcessOptions, _ console: Console) -> ExitCode {
    let shared = JobCounters()
    let workers = (0..<min(options.jobCount, options.jobs.count)).map { worker in
      BackgroundThread(named: "job \(worker)") {
        while InterruptHandler.pending == nil {
          let index = shared.takeNext()
          guard index < options.jobs.count else { return }
          do {
            try run(options.jobs[index], of: options, console, showsProgress: false)
          } catch {
            shared.countFailure()
            console.log.error(CommandFailure(error).sentence)
          }
        }
      }
    }
    for worker in workers { worker.join() }
    guard shared.failureCount > 0 else { return .success }
    console.log.error("\(shared.failureCount) of \(options.jobs.count) inputs failed")
    return .someFailed
  }

  private static func run(_ job: FileJob, of options: ProcessOptions, _ console: Console, showsProgress: Bool) throws {
    do {
      let processing = try FileProcessing(job, of: options)
      let prepared = try processing.prepare()
      if options.isDryRun {
        try console.output.write(GraphText.dryRun(prepared, job))
        return prepared.cancel()
      }
      let result = try prepared.run(
        progress: showsProgress ? progress(of: prepared, options, console) : { _, _ in },
        shouldStop: { InterruptHandler.pending != nil })
      for warning in result.warnings { console.log.warning(warning) }
      if result.clippedSamples > 0 {
        console.log.warning("\(job.name): \(result.clippedSamples) samples were clipped; lower the gain")
      }
      try report(result, job, options, console)
    } catch {
      throw CommandFailure(error)
    }
  }

  private static func progress(
    of prepared: PreparedProcessing, _ options: ProcessOptions, _ console: Console
  ) -> (Double, Double?) -> Void {
    let mode = options.progress.resolved(isInteractive: console.isInteractive, isQuiet: options.common.isQuiet)
    let clock = SystemClock()
    let start = clock.nowNanoseconds
    let progress = Progress(
      mode: mode, total: prepared.expectedSeconds.map { .seconds($0) }, errors: console.errors,
      now: { .nanoseconds(clock.nowNanoseconds - start) })
    var shown = 0.0
    return { seconds, _ in
      progress.advance(by: .seconds(seconds - shown))
      shown = seconds
    }
  }

  private static func report(
    _ result: ProcessingResult, _ job: FileJob, _ options: ProcessOptions, _ console: Console
  ) throws {
    if let path = job.reportPath { try TextFile.write(ProcessReport.json(result, job) + "\n", to: path) }
    if let path = job.tablePath { try TextFile.write(ProcessReport.volumeTable(result), to: path) }
    switch options.resultFormat {
    case .json, .jsonLines: try console.output.writeLine(ProcessReport.json(result, job))
    case .text where !options.common.isQuiet: console.log.info(ProcessReport.summary(result, job))
    case .text: break
    }
  }
}

/// What the workers of several jobs share.
private final class JobCounters: Sendable {
  private let next = Atomic<Int>(0)
  private let failures = Atomic<Int>(0)

  func takeNext() -> Int { next.wrappingAdd(1, ordering: .relaxed).oldValue }
  func countFailure() { failures.wrappingAdd(1, ordering: .relaxed) }
  var failureCount: Int { failures.load(ordering: .relaxed) }
}
