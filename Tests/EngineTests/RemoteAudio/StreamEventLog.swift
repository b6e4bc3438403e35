import AudioGraph
import Engine
import FrameObservers
import MediaStreams
import Metering

/// Writes down what is told of streams; states as `ticks uid state reason`.
final class StreamEventLog: Sendable {
  private let events = Guarded<[PipelineEvent]>([])

  init(_ pipeline: AudioPipeline) { pipeline.onEvent { [self] event in events.withLock { $0.append(event) } } }

  var all: [PipelineEvent] { events.withLock { $0 } }

  var states: [[Int]] {
    all.compactMap { event in
      guard case .remoteAudioState(let change) = event.kind else { return nil }
      return [event.tickCount, Int(change.speaker.uid), change.state.rawValue, change.reason.rawValue]
    }
  }

  var changes: [RemoteAudioChange] {
    all.compactMap { event in
      guard case .remoteAudioState(let change) = event.kind else { return nil }
      return change
    }
  }

  var remote: [RemoteAudioStatistics] {
    all.compactMap { event in
      guard case .remoteAudioStatistics(let statistics) = event.kind else { return nil }
      return statistics
    }
  }

  var local: [LocalAudioStatistics] {
    all.compactMap { event in
      guard case .localAudioStatistics(let statistics) = event.kind else { return nil }
      return statistics
    }
  }

  var call: [CallStatistics] {
    all.compactMap { event in
      guard case .callStatistics(let statistics) = event.kind else { return nil }
      return statistics
    }
  }

  /// Of one user, as `[sent, received]`.
  func quality(_ uid: UInt32) -> [[Int]] {
    all.compactMap { event in
      guard case .networkQuality(let report) = event.kind, report.uid == uid else { return nil }
      return [report.sent.rawValue, report.received.rawValue]
    }
  }
}
