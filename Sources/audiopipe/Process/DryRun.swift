import AudioGraph
import Engine
import FrameObservers

/// `process --dry-run`: opens the inputs, builds the graphs, and prints what would be done.
struct DryRun {
  let options: ProcessOptions
  let console: Console

  /// Throws: what would fail.
  func run() throws -> ExitCode {
    var plans: [Plan] = []
    for job in options.jobs {
      do {
        plans.append(try plan(job))
      } catch {
        throw CommandFailure(error)
      }
      if options.resultFormat == .jsonLines { try console.output.writeLine(json(plans.removeLast())) }
      if options.resultFormat == .text { try console.output.write(text(plans.removeLast())) }
    }
    guard options.resultFormat == .json else { return .success }
    if plans.count == 1 {
      try console.output.writeLine(json(plans[0]))
    } else {
      var json = JSONWriter()
      json.object { json in
        json.field("schema", 1)
        json.array("jobs") { json in
          for plan in plans { json.object { write(&$0, plan) } }
        }
      }
      try console.output.writeLine(json.text)
    }
    return .success
  }

  private struct Plan {
    let job: FileJob
    let graph: GraphText
    let latency: Int
    let format: AudioFormat
    let sampleFormat: SampleFormat
    let seconds: Double?
  }

  private func plan(_ job: FileJob) throws -> Plan {
    let processing = try FileProcessing(job, of: options)
    let newFolder = try OutputFolder(options.outputFolder)?.checkedIfNew()
    try ResultFiles(job, of: options).check(newFolder: newFolder)
    if let path = job.filePath {
      try ResultFile(path: path, mayReplace: options.overwrites, followsLinks: true).check(newFolder: newFolder)
    }
    let prepared = try processing.prepare()
    defer { prepared.cancel() }
    let latency = try prepared.pipeline.latency()
    let graph = GraphText(steps: try prepared.steps(), sampleRate: prepared.pipeline.options.sampleRate)
    return Plan(
      job: job, graph: graph, latency: latency, format: prepared.outputFormat,
      sampleFormat: prepared.outputSampleFormat, seconds: prepared.expectedSeconds)
  }

  private func text(_ plan: Plan) -> String {
    let length = plan.seconds.map { " (\(Self.number($0, 2)) s)" } ?? ""
    var lines = [plan.graph.text]
    lines.append("latency: \(plan.latency) samples (\(milliseconds(plan)) ms), removed from the output")
    lines.append("input: \(plan.job.name)\(length)")
    lines.append("output: \(plan.job.outputText) (\(plan.format), \(plan.sampleFormat.name))")
    if let path = plan.job.reportPath { lines.append("report: \(path)") }
    lines += plan.job.tables.map { "table: \($0.path)" }
    if let path = plan.job.picturePath { lines.append("picture: \(path)") }
    if let program = options.frameProgram {
      lines.append("\(program.role == .filter ? "filter" : "reader") at \(program.positions.name): \(program.command)")
    }
    return (lines + ["nothing was written"]).joined(separator: "\n") + "\n"
  }

  private func json(_ plan: Plan) -> String {
    var json = JSONWriter()
    json.object { write(&$0, plan) }
    return json.text
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
    }
    json.field("latency_ms", Double(plan.latency) * 1_000 / Double(plan.graph.sampleRate), decimals: 3)
    json.object("graph") { plan.graph.write(&$0) }
  }

  private func milliseconds(_ plan: Plan) -> String {
    Self.number(Double(plan.latency) * 1_000 / Double(plan.graph.sampleRate), 2)
  }

  private static func number(_ value: Double, _ decimals: Int) -> String {
    var json = JSONWriter()
    json.value(value, decimals: decimals)
    return json.text
  }
}
