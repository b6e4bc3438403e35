package import JSON
import Platform

/// Lines on stdout for programs while a command runs, each a JSON object.
///
/// If the reader has gone or the disk is full, the further lines are lost and the command continues; `check` tells of a
/// full disk at its end.
///
/// Thread: any.
package final class EventLines: Sendable {
  private struct State {
    var isClosed = false
    var failure: CommandFailure?
  }

  private let output: StandardOutput?
  private let state = Guarded(State())

  /// Creates the lines; without an output, nothing is written.
  package init(_ output: StandardOutput?) { self.output = output }

  /// Writes a line. Lines of several threads are written in the order in which `fields` are called.
  package func write(_ fields: (inout JSONWriter) -> Void) {
    guard let output else { return }
    state.withLock { state in
      guard !state.isClosed else { return }
      var json = JSONWriter()
      json.object(fields)
      do { try output.writeLine(json.text) } catch {
        state.isClosed = true
        state.failure = error as? CommandFailure
      }
    }
  }

  /// Throws the failure that ended the lines, unless the reader has gone.
  package func check() throws(CommandFailure) {
    if let failure = state.withLock({ $0.failure }) { throw failure }
  }
}
