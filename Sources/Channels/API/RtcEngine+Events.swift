import Engine
import Metering
import Platform

/// Events of the pipeline on their way to delegates.
extension RtcEngine {
  /// Takes an event of the pipeline.
  func take(_ kind: PipelineEvent.Kind) {
    switch kind {
    // Devices belong to the engine: programs choose them before a join, and test them without one.
    case .localAudioState, .audioRoute, .deviceState: return post { $0.deliver(kind, $1) }
    case .callStatistics(let statistics): state.withLock { $0.statistics = statistics }
    default: break
    }
    let (main, all, echo) = state.withLock { ($0.main, $0.joined, $0.echoTest?.channel) }
    let channel: String? =
      switch kind {
      case .remoteAudioState(let change): change.speaker.channelID
      case .remoteAudioStatistics(let statistics): statistics.speaker.channelID
      default: nil
      }
    guard let channel else {
      main?.report(kind)
      return
    }
    guard channel != echo else { return }
    (all.first { $0.channel == channel } ?? main)?.report(kind)
  }

  /// Calls the delegate of the main channel, in order with its other calls.
  func post(_ call: @escaping @Sendable (any RtcEngineDelegate, RtcEngine) -> Void) {
    let delegate = state.withLock { $0.delegate }
    guard let delegate else { return }
    delivery.post { [weak delegate, weak self] in
      if let self, let delegate { call(delegate, self) }
    }
  }
}
