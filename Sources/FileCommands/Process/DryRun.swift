import AudioFiles
import AudioGraph
import CommandLineKit
import Engine
import FrameObservers
import JSON
import OfflineProcessing
import SoundOptions

/// `process --dry-run`: opens the inputs, builds the graphs, and prints the plan. An input that fails is reported and
/// the others continue, as in a run.
struct DryRun: Sendable {
  let options: ProcessOptions
  let console: Console

  /// Prints the plans.
  ///
  /// - Throws: the failure of the only job, or of stdout.
  func run() throws -> ExitCode {
    let newFolder = try OutputFolder(options.outputFolder)?.checkedIfNew()
    let pool = JobPool(
      jobCount: options.jobs.count, workerCount: options.jobCount,
      work: { try plan(options.jobs[$0], newFolder: newFolder) }, onEnd: { try tell($1, options.jobs[$0]) })
    let outcomes = JobOutcomes(jobs: options.jobs, outcomes: try pool.run())
    if let (_, outcome) = outcomes.only {
      let plan = try outcome.get()
      if options.resultFormat == .json { try console.output.writeDocument { write(&$0, plan) } }
      return .success
    }
    if options.resultFormat == .json {
      try console.output.writeDocument { json in
        outcomes.write(&json, name: \.name) { json, plan, _ in write(&json, plan) }
      }
    }
    return outcomes.conclude(console.log)
  }

  private func tell(_ outcome: Result<Plan, CommandFailure>, _ job: FileJob) throws {
    switch (outcome, options.resultFormat) {
    case (.success(let plan), .text): try console.output.write(text(plan))
    case (.success(let plan), .jsonLines): try console.output.writeDocument { write(&$0, plan) }
    case (.success, .json): break
    case (.failure(let failure), let format):
      if format == .jsonLines { try console.output.writeDocument { failure.write(&$0, of: job.name) } }
      // The caller reports the only failure.
      if options.jobs.count > 1 { console.log.error(failure.sentence) }
    }
  }

  private struct Plan: Sendable {
    let job: FileJob
    let graph: GraphText
    let latency: Int
    let format: AudioFormat
    let sampleFormat: SampleFormat
    let seconds: Double?
  }

  /// Returns the plan of a job.
  ///
  /// - Parameters:
  ///   - job: job to plan.
  ///   - newFolder: the folder of `--out-dir`, if a run would make it.
  private func plan(_ job: FileJob, newFolder: String?) throws -> Plan {
    let processing = try FileProcessing(job, of: options)
    try ResultFiles(job, of: options).check(newFolder: newFolder)
    if let path = job.filePath {
      try ResultFile(path: path, mayReplace: options.overwrites, followsLinks: true).check(newFolder: newFolder)
    }
    let prepared = try processing.prepare()
    defer { prepared.cancel() }
    let latency = try prepared.pipeline.latency()
    let graph = GraphText(
      steps: try prepared.steps(), sampleRate: prepared.pipeline.options.sampleRate,
      loudnessTarget: options.loudnessTarget)
    return Plan(
      job: job, graph: graph, latency: latency, format: prepared.outputFormat,
      sampleFormat: prepared.outputSampleFormat, seconds: prepared.expectedSeconds)
  }

  private func text(_ plan: Plan) -> String {
    let length = plan.seconds.map { " (\(JSONWriter.digits($0, 2)) s)" } ?? ""
    var lines = [plan.graph.text]
    lines.append("latency: \(plan.latency) samples (\(milliseconds(plan)) ms), removed from the output")
    lines.append("input: \(Log.oneLine(plan.job.name))\(length)")
    lines.append("output: \(Log.oneLine(plan.job.outputText)) (\(plan.format), \(plan.sampleFormat.name))")
    if let path = plan.job.reportPath { lines.append("report: \(Log.oneLine(path))") }
    lines += plan.job.tables.map { "table: \(Log.oneLine($0.path))" }
    if let path = plan.job.picturePath { lines.append("picture: \(Log.oneLine(path))") }
    if let program = options.frameProgram {
      lines.append("\(program.role == .filter ? "filter" : "reader") at \(program.positions.name): \(program.command)")
    }
    return (lines + ["nothing was written"]).joined(separator: "\n") + "\n"
  }

  private func write(_ json: inout JSONWriter, _ plan: Plan) {
    json.field("schema", 1)
    json.object("input") { json in
      json.field("path", plan.job.name)
      if let seconds = plan.seconds { json.field("seconds", seconds, decimals: 3) }
    }
    json.object("output") { json in
      if let path = plan.job.outputPath { json.field("path", path) }
      json.field("sample_rate", plan.format.sampleRate)
      json.field("channels", plan.format.channelCount)
      json.field("sample_format", plan.sampleFormat.name)
      if let target = options.loudnessTarget {
        if let integrated = target.integrated { json.field("loudness_target_lufs", integrated, decimals: 2) }
        json.field("true_peak_dbtp", target.truePeak, decimals: 2)
      }
    }
    json.field("latency_ms", Double(plan.latency) * 1_000 / Double(plan.graph.sampleRate), decimals: 3)
    json.object("graph") { plan.graph.write(&$0) }
  }

  private func milliseconds(_ plan: Plan) -> String {
    JSONWriter.digits(Double(plan.latency) * 1_000 / Double(plan.graph.sampleRate), 2)
  }

}
