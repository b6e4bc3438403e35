import CommandLineKit
import Engine
import JSON
import OfflineProcessing
import Platform

/// Lines of events with the time since the command began.
///
/// Thread: any but the audio thread.
struct TimedLines {
  private let lines: EventLines
  private let clock = SystemClock()
  private let start: Int

  /// Creates the lines; without an output, nothing is written.
  init(_ output: StandardOutput?) {
    lines = EventLines(output)
    start = clock.nowNanoseconds
  }

  /// Writes a line.
  func write(_ event: String, _ body: (inout JSONWriter) -> Void = { _ in }) {
    lines.write { json in
      json.field("time_s", Double(clock.nowNanoseconds - start) / 1e9, decimals: 3)
      json.field("event", event)
      body(&json)
    }
  }

  /// Writes an event of a pipeline.
  func write(_ kind: PipelineEvent.Kind) { write(kind.name) { kind.writeFields(&$0) } }

  /// Throws 74 if lines could not be written.
  func check() throws(CommandFailure) { try lines.check() }
}
