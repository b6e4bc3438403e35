import CallSimulation
import CommandLineKit
import JSON

/// Events of a call for programs while it runs.
final class SimulateLines {
  private let lines: EventLines
  private var lastSeconds = 0.0

  /// Creates the lines.
  ///
  /// - Parameter output: stream for the lines; nil for none.
  init(_ output: StandardOutput?) { lines = EventLines(output) }

  func write(_ event: SimulationEvent) {
    lastSeconds = event.seconds
    lines.write { event.write(&$0, name: "event") }
  }

  /// Writes the last line, with the whole report.
  ///
  /// - Throws: 74 if a line could not be written.
  func finish(_ report: SimulateReport) throws(CommandFailure) {
    lines.write { json in
      json.field("time_s", max(lastSeconds, report.result.durationSeconds), decimals: 6)
      json.field("event", "finished")
      json.object("report") { report.write(&$0) }
    }
    try lines.check()
  }
}
