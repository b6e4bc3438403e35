import AudioGraph
import CommandLineKit
import Engine
import JSON
import OfflineProcessing

/// Events of running jobs for programs: one JSON object a line on stdout.
///
/// If the reader has gone, the lines are lost.
///
/// Thread: any but the audio thread.
final class EventLines: Sendable {
  /// Shortest time between two lines of progress of one input.
  static let progressInterval = Duration.milliseconds(100)

  private struct State {
    var isClosed = false
    var lastProgress: [String: Duration] = [:]
  }

  private let output: StandardOutput
  private let now: @Sendable () -> Duration
  private let state = Guarded(State())

  /// Creates the lines; `now` is the time since the command began.
  init(_ output: StandardOutput, now: @escaping @Sendable () -> Duration) {
    self.output = output
    self.now = now
  }

  /// Whether the reader has gone.
  var isClosed: Bool { state.withLock { $0.isClosed } }

  func started(_ job: FileJob, expectedSeconds: Double?) {
    write("started", job) { json in
      if let path = job.outputPath { json.field("output", path) }
      if let expectedSeconds { json.field("total_s", expectedSeconds, decimals: 3) }
    }
  }

  func progress(_ job: FileJob, seconds: Double, total: Double?) {
    let isDue = state.withLock { state in
      let moment = now()
      if let last = state.lastProgress[job.name], moment - last < Self.progressInterval { return false }
      state.lastProgress[job.name] = moment
      return true
    }
    guard isDue else { return }
    write("progress", job) { json in
      json.field("done_s", seconds, decimals: 3)
      if let total { json.field("total_s", total, decimals: 3) }
    }
  }

  /// Writes an event of the job's pipeline, with the event's own time.
  func happened(_ job: FileJob, _ event: PipelineEvent) {
    write(event.kind.name, job) { json in
      json.field("at_s", event.time / .seconds(1), decimals: 3)
      event.kind.writeFields(&json)
    }
  }

  func finished(_ job: FileJob, _ result: JobResult) {
    write("finished", job) { json in
      json.object("report") { ProcessReport.write(&$0, result, job) }
    }
  }

  func failed(_ job: FileJob, _ failure: CommandFailure) {
    write("failed", job) { json in
      json.field("message", failure.sentence)
      json.field("exit_code", Int(failure.exitCode.rawValue))
    }
  }

  private func write(_ event: String, _ job: FileJob, _ body: (inout JSONWriter) -> Void) {
    var json = JSONWriter()
    json.object { json in
      json.field("time_s", now() / .seconds(1), decimals: 3)
      json.field("event", event)
      json.field("input", job.name)
      body(&json)
    }
    state.withLock { state in
      guard !state.isClosed else { return }
      // Jobs decide for themselves whether to continue then: there may be files that matter more.
      do { try output.writeLine(json.text) } catch { state.isClosed = true }
    }
  }
}
