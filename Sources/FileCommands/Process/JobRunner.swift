import AudioFiles
import AudioGraph
import AudioPipeWithPitch
import CommandLineKit
import Engine
import FrameObservers
import Glibc
import OfflineProcessing
import SoundOptions

/// Runs the jobs of a command line, several at a time. A job that fails is reported and the others continue.
///
/// Thread: `run` once, from the main thread.
struct JobRunner: Sendable {
  private let options: ProcessOptions
  private let console: Console
  private let progress: Progress
  private let events: EventLines?

  init(_ options: ProcessOptions, _ console: Console) {
    self.options = options
    self.console = console
    let mode = options.progress.resolved(
      isInteractive: console.canShowBar(besideLines: options.resultFormat == .jsonLines),
      isQuiet: options.common.isQuiet)
    let clock = SystemClock()
    let start = clock.nowNanoseconds
    let now = { @Sendable in Duration.nanoseconds(clock.nowNanoseconds - start) }
    progress = Progress(
      mode: mode, total: mode == .none ? nil : Self.expectedLength(of: options), errors: console.errors, now: now)
    events = options.resultFormat == .jsonLines ? EventLines(console.output, now: now) : nil
  }

  /// Runs the jobs.
  ///
  /// - Throws: the failure of the only job, or of stdout.
  func run() throws -> ExitCode {
    let folder = OutputFolder(options.outputFolder)
    let isNewFolder = try folder?.make() == true
    defer { if isNewFolder { folder?.removeIfEmpty() } }
    defer { progress.finish() }
    let pool = JobPool(jobCount: options.jobs.count, workerCount: options.jobCount) { index in
      do {
        let result = try run(options.jobs[index])
        // Long tables are kept only for a result that is read again.
        return options.resultFormat == .json ? result : nil
      } catch {
        tell(CommandFailure(file: error), options.jobs[index])
        throw error
      }
    } onEnd: { _, outcome in
      if case .failure(let failure) = outcome, failure.isQuiet { throw BrokenPipe() }
    }
    let outcomes = JobOutcomes(jobs: options.jobs, outcomes: try pool.run())
    progress.finish()
    return try conclude(outcomes)
  }

  private func run(_ job: FileJob) throws -> JobResult {
    var processing = try FileProcessing(job, of: options)
    let files = ResultFiles(job, of: options)
    try files.check()
    processing.onEvent = { [events] in events?.happened(job, $0) }
    processing.onProgramWait = { [log = console.log] sentence in
      log.warning("\(job.name): \(sentence); ^C ends the job")
    }
    let pitch = options.wantsResults(of: job) ? PitchTrack(uid: processing.firstUID) : nil
    if let pitch { processing.observers.append(pitch.request()) }
    let prepared = try processing.prepare()
    let recorder = files.picture == nil ? nil : OutputRecorder()
    try recorder?.observe(prepared.pipeline)
    events?.started(job, expectedSeconds: prepared.expectedSeconds)
    console.log.debug("\(job.name): \(prepared.outputFormat), \(prepared.outputSampleFormat.name), \(job.outputText)")
    // If only lines are wanted, the job ends with their reader.
    let givesOnlyLines = givesOnlyLines(job)
    let isUnread = { givesOnlyLines && events?.isClosed == true }
    let result = try prepared.run {
      report(job, $0, $1)
    } shouldStop: {
      isUnread()
    }
    if isUnread() { throw BrokenPipe() }
    let seconds = Double(result.inputSamplesPerChannel) / Double(result.inputFormat.sampleRate)
    let pitchEnd = processing.firstStartSeconds + seconds
    let outcome = JobResult(processing: result, pitch: try pitch?.finish(seconds: pitchEnd).rows ?? SpooledRows())
    progress.set(result.isCancelled ? seconds : prepared.expectedSeconds ?? seconds, of: job.name)
    if options.jobs.count == 1 { progress.finish() }
    try files.write(outcome, of: job)
    if let recorder { try files.picture?.write(recorder.picture(result, of: job)) }
    // After the reader of the output has gone, the report may still be wanted.
    if let failure = result.outputFailure { throw failure }
    events?.finished(job, outcome)
    tell(result, job)
    if let failure = result.programFailures.first { throw failure }
    return outcome
  }

  private func givesOnlyLines(_ job: FileJob) -> Bool {
    guard case .none = job.output else { return false }
    return job.reportPath == nil && job.tablePath == nil && job.picturePath == nil && options.frameProgram == nil
  }

  private func report(_ job: FileJob, _ seconds: Double, _ total: Double?) {
    progress.set(seconds, of: job.name)
    events?.progress(job, seconds: seconds, total: total)
  }

  private func tell(_ result: ProcessingResult, _ job: FileJob) {
    for event in result.events {
      guard case .warning(let warning) = event.kind else { continue }
      // A file's warning begins with its name.
      let isNamed = warning.message.hasPrefix("\(job.name): ")
      console.log.warning(isNamed ? warning.message : "\(job.name): \(warning)")
    }
    if result.clippedSamples > 0 {
      let samples = result.clippedSamples == 1 ? "1 sample was" : "\(result.clippedSamples) samples were"
      let advice = "lower the sound with --gain, or keep all of it with --sample-format f32"
      console.log.warning("\(job.name): \(samples) clipped; \(advice)")
    }
    if result.isCancelled {
      console.log.warning("\(job.name): stopped before its end; \(Self.remainsText(result, of: job))")
    }
    if !result.droppedChunks.isEmpty, result.outputSamplesPerChannel > 0 {
      console.log.info(
        "\(job.name): the output does not have \(result.droppedChunks.joined(separator: ", ")) of the input")
    }
    if options.resultFormat == .text { console.log.info(ProcessReport.summary(result, job)) }
  }

  private static func remainsText(_ result: ProcessingResult, of job: FileJob) -> String {
    switch result.remains {
    case .valid(let path)?: "\(job.outputText) stays as it was, and \(path) is whole up to there"
    case .incomplete(let path)?: "\(job.outputText) stays as it was, and \(path) is the beginning of the output"
    case nil: "the output is whole up to there"
    }
  }

  private func tell(_ failure: CommandFailure, _ job: FileJob) {
    guard !failure.isQuiet else { return }
    events?.failed(job, failure)
    // The caller reports the only failure.
    if options.jobs.count > 1 { console.log.error(failure.sentence) }
  }

  private func conclude(_ outcomes: JobOutcomes<FileJob, JobResult?>) throws -> ExitCode {
    if let (job, outcome) = outcomes.only {
      if let result = try outcome.get() { try console.output.writeDocument { ProcessReport.write(&$0, result, job) } }
      return .success
    }
    if options.resultFormat == .json {
      try console.output.writeDocument { json in
        outcomes.write(&json, name: \.name) { if let result = $1 { ProcessReport.write(&$0, result, $2) } }
      }
    }
    return outcomes.conclude(console.log)
  }

  /// Returns the length of all jobs; nil if one of them only knows it at its end.
  private static func expectedLength(of options: ProcessOptions) -> Duration? {
    var seconds = 0.0
    for job in options.jobs {
      if case .notUTF8 = job.input { continue }
      if job.refusal != nil { continue }
      // A faulty file is reported at its turn.
      if case .file(let path) = job.input, access(path, R_OK) != 0 { continue }
      guard let length = (try? FileProcessing(job, of: options))?.expectedSeconds() else { return nil }
      seconds += length
    }
    return .seconds(seconds)
  }
}
