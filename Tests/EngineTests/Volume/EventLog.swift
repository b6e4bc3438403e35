import AudioGraph
import Engine
import FrameObservers
import Metering

/// Writes events down, a line each: `20 local 100 total 128`, `20 remote 1:200 2:100 total 200`, `20 active 1`.
final class EventLog: Sendable {
  private let events = Guarded<[PipelineEvent]>([])

  init(_ pipeline: AudioPipeline) { pipeline.onEvent { [self] event in events.withLock { $0.append(event) } } }

  var all: [PipelineEvent] { events.withLock { $0 } }

  var lines: [String] { all.map(Self.text) }

  func lines(of word: String) -> [String] { lines.filter { $0.contains(word) } }

  private static func text(_ event: PipelineEvent) -> String {
    switch event.kind {
    case .activeSpeaker(let id): return "\(event.tickCount) active \(id.uid)"
    case .volumes(let report):
      let speakers = report.speakers.map { report.side == .local ? " \($0.volume)" : " \($0.uid):\($0.volume)" }
      let side = report.side == .local ? "local" : "remote"
      return "\(event.tickCount) \(side)\(speakers.joined()) total \(report.totalVolume)"
    default: return "\(event.tickCount) \(event.kind)"
    }
  }
}
