import CallSimulation
import CommandLineKit
import JSON

/// Events of a call for programs while it runs: one JSON object a line on stdout.
///
/// If the reader has gone, the lines are lost and the call continues.
final class SimulateLines {
  private var output: StandardOutput?
  private var lastSeconds = 0.0

  /// Creates the lines.
  ///
  /// - Parameter output: stream for the lines; nil for none.
  init(_ output: StandardOutput?) { self.output = output }

  func write(_ event: CallEvent) {
    lastSeconds = event.seconds
    line { event.write(&$0, name: "event") }
  }

  /// Writes the last line, with the whole report.
  func finish(_ report: SimulateReport) {
    line { json in
      json.field("time_s", max(lastSeconds, report.result.durationSeconds), decimals: 6)
      json.field("event", "finished")
      json.object("report") { report.write(&$0) }
    }
  }

  private func line(_ body: (inout JSONWriter) -> Void) {
    guard let output else { return }
    var json = JSONWriter()
    json.object { body(&$0) }
    do { try output.writeLine(json.text) } catch { self.output = nil }
  }
}
