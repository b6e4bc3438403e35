import AudioGraph
import CommandLineKit
import Engine
import JSON
import OfflineProcessing
import RTP
import RTPSessions

/// Events of a stream, for programs while it lasts: one JSON object a line on stdout, with the names of `simulate`.
///
/// If the reader has gone, the lines are lost and the stream continues.
///
/// Thread: any but the audio thread.
final class RTPLines: Sendable {
  private struct State {
    var isClosed: Bool
    var lastSeconds = 0.0
  }

  private let output: StandardOutput
  private let showsStatistics: Bool
  private let state: Guarded<State>

  /// Creates the lines.
  ///
  /// - Parameters:
  ///   - output: stream for the lines; nil for none.
  ///   - showsStatistics: whether statistics are among the events.
  init(_ output: StandardOutput?, showsStatistics: Bool) {
    self.output = output ?? StandardOutput()
    self.showsStatistics = showsStatistics
    state = Guarded(State(isClosed: output == nil))
  }

  func write(_ event: PipelineEvent) {
    if case .volumes = event.kind { return }
    guard showsStatistics || !event.kind.isStatistics else { return }
    line(atSeconds: event.time / .seconds(1)) { json in
      json.field("event", event.kind.name)
      event.kind.writeFields(&json)
    }
  }

  /// Writes a key press, once it is over; it began at `seconds`.
  func write(_ press: KeyPress, atSeconds seconds: Double) {
    line(atSeconds: seconds) { json in
      json.field("event", "key_press")
      press.writeFields(&json)
    }
  }

  /// Writes an event of an endpoint that sends nothing.
  func write(_ event: RTPEndpointEvent, atSeconds seconds: Double) {
    if case .remoteAddressChanged = event { return }
    line(atSeconds: seconds) { json in
      switch event {
      case .sourceBegan(let user, let ssrc, let format, let address):
        json.field("event", "source_began")
        json.field("uid", Int(user))
        json.field("ssrc", Int(ssrc))
        json.field("format", "\(format)")
        json.field("from", "\(address)")
      case .sourceEnded(let user, let ssrc, let end):
        json.field("event", "source_ended")
        json.field("uid", Int(user))
        json.field("ssrc", Int(ssrc))
        json.field("end", "\(end)")
      case .keyPress(let user, let press):
        json.field("event", "key_press")
        json.field("uid", Int(user))
        press.writeFields(&json)
      case .remoteAddressChanged: break
      case .sourceRefused(let ssrc, let reason):
        json.field("event", "source_refused")
        json.field("ssrc", Int(ssrc))
        json.field("reason", reason)
      }
    }
  }

  /// Writes the last line, with the results of the stream.
  func finish(atSeconds seconds: Double, report: (inout JSONWriter) -> Void) {
    line(atSeconds: seconds) { json in
      json.field("event", "finished")
      json.object("report", report)
    }
  }

  /// Writes a line. Times never decrease.
  private func line(atSeconds seconds: Double, _ body: (inout JSONWriter) -> Void) {
    state.withLock { state in
      guard !state.isClosed else { return }
      state.lastSeconds = max(state.lastSeconds, seconds)
      var json = JSONWriter()
      json.object { json in
        json.field("time_s", state.lastSeconds, decimals: 6)
        body(&json)
      }
      do { try output.writeLine(json.text) } catch { state.isClosed = true }
    }
  }
}

extension KeyPress {
  func writeFields(_ json: inout JSONWriter) {
    json.field("digit", String(digit))
    json.field("duration_ms", durationMilliseconds)
  }
}
