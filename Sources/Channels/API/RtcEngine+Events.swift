import Engine
import FrameObservers
import Metering
import Platform

/// Events of the pipeline on their way to delegates.
extension RtcEngine {
  /// Takes an event of the pipeline.
  func take(_ kind: PipelineEvent.Kind) {
    let (main, all, echo) = state.withLock { ($0.main, $0.joined, $0.echoTest?.channel) }
    if case .music = kind { applyLocalSound() }
    switch kind.scope {
    case .engine: post { $0.deliver(kind, $1) }
    case .call: (main ?? all.first).map { reportCall(kind, in: $0, all) }
    case .user(let speaker):
      guard speaker.channelID != echo else { return }
      (all.first { $0.channel == speaker.channelID } ?? main)?.report(kind)
    }
  }

  /// Calls the delegate of the main channel, in order with its other calls.
  func post(_ call: @escaping @Sendable (any RtcEngineDelegate, RtcEngine) -> Void) {
    let delegate = state.withLock { $0.delegate }
    guard let delegate else { return }
    delivery.post { [weak delegate, weak self] in
      if let self, let delegate { call(delegate, self) }
    }
  }

  /// Reports that the system has no thread or socket for a join.
  func reportNoBegin(to delegate: (any RtcEngineDelegate)?) {
    delivery.post { [weak delegate, weak self] in
      if let self { delegate?.rtcEngine(self, didOccurError: 1_002) }
    }
  }

  /// Reports the statistics of all channels together, and the quality of the local user's paths.
  private func reportCall(_ kind: PipelineEvent.Kind, in main: RtcConnection, _ all: [RtcConnection]) {
    switch kind {
    case .callStatistics(var statistics):
      // Users without a stream here are users, too.
      statistics.userCount = 1 + main.users.count
      state.withLock { $0.statistics = statistics }
      main.report(.callStatistics(statistics))
    case .networkQuality(let report):
      main.report(kind)
      for connection in all { connection.takeOwnQuality(report) }
    default: main.report(kind)
    }
  }
}

extension PipelineEvent.Kind {
  /// Receiver of an event.
  fileprivate enum Scope {
    /// The delegate of the engine, also without a channel.
    case engine
    /// The main channel.
    case call
    /// The channel of a user.
    case user(SpeakerID)
  }

  fileprivate var scope: Scope {
    switch self {
    case .remoteAudioState(let change): .user(change.speaker)
    case .remoteAudioStatistics(let statistics): .user(statistics.speaker)
    case .networkQuality(let report) where report.uid != 0:
      .user(SpeakerID(uid: report.uid, channelID: report.channelID))
    case .activeSpeaker(let speaker), .speechBegan(let speaker), .speechEnded(let speaker),
      .remoteMusicStarted(let speaker), .remoteMusicFinished(let speaker), .remoteMuted(let speaker, _),
      .remoteSourceChanged(let speaker, _):
      .user(speaker)
    case .callStatistics, .networkQuality, .localAudioStatistics: .call
    default: .engine
    }
  }
}
