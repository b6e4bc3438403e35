import AudioGraph
import CommandLineKit
import Engine
import JSON
import OfflineProcessing
import RTP
import RTPSessions

/// Events of a stream, for programs while it lasts, with the names of `simulate`.
///
/// Thread: any but the audio thread.
final class RTPLines: Sendable {
  private let lines: EventLines
  private let showsStatistics: Bool
  private let lastSeconds = Guarded(0.0)

  /// Creates the lines.
  ///
  /// - Parameters:
  ///   - output: stream for the lines; nil for none.
  ///   - showsStatistics: whether statistics are among the events.
  init(_ output: StandardOutput?, showsStatistics: Bool) {
    lines = EventLines(output)
    self.showsStatistics = showsStatistics
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
  ///
  /// - Throws: 74 if a line could not be written.
  func finish(atSeconds seconds: Double, report: (inout JSONWriter) -> Void) throws(CommandFailure) {
    line(atSeconds: seconds) { json in
      json.field("event", "finished")
      json.object("report", report)
    }
    try lines.check()
  }

  /// Writes a line. Times never decrease.
  private func line(atSeconds seconds: Double, _ body: (inout JSONWriter) -> Void) {
    lines.write { json in
      let time = lastSeconds.withLock { last in
        last = max(last, seconds)
        return last
      }
      json.field("time_s", time, decimals: 6)
      body(&json)
    }
  }
}

extension KeyPress {
  func writeFields(_ json: inout JSONWriter) {
    json.field("digit", String(digit))
    json.field("duration_ms", durationMilliseconds)
  }
}
