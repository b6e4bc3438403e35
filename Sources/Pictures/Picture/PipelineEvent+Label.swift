package import Engine
import Metering
import Playback

extension PipelineEvent.Kind {
  /// Words of the event in a picture; nil for an event that a picture leaves out.
  package var label: String? {
    switch self {
    case .volumes, .localVoicePitch, .recordingStarted: nil
    // Pictures show files and simulated calls, which use no devices.
    case .localAudioState, .audioRoute, .deviceState: nil
    case .remoteAudioState, .remoteMuted, .remoteAudioStatistics, .localAudioStatistics, .callStatistics,
      .networkQuality:
      nil
    case .speechBegan(let id): "\(id.uid) speaks"
    case .speechEnded: nil
    case .activeSpeaker(let id): id.uid == 0 ? "listener" : "speaker \(id.uid)"
    case .effectFinished(let soundID): "effect \(soundID) ends"
    case .effectInterrupted(let soundID): "effect \(soundID) breaks off"
    // The end is reported twice, once by the state.
    case .music(.stopped, .allLoopsCompleted): nil
    case .music(.playing, .loopCompleted): nil
    case .music(.playing, .newLoop): "music again"
    case .music(.playing, _): "music plays"
    case .music(.paused, _): "music waits"
    case .music(.stopped, _): "music stops"
    case .music(.failed, _): "music fails"
    case .musicFinished: "music ends"
    case .remoteMusicStarted(let id): "music of \(id.uid) plays"
    case .remoteMusicFinished(let id): "music of \(id.uid) ends"
    case .remoteSourceChanged(let id, _): "source of \(id.uid) changes"
    case .recordingFailed: "recording fails"
    case .warning(let warning): warning.label
    }
  }
}

extension PipelineWarning {
  /// A few words and the number, for a picture.
  fileprivate var label: String {
    let words: String? =
      switch code {
      case .cannotOpen: "cannot be opened"
      case .interrupted: "file breaks off"
      case .notFinite: "NaN became 0"
      case .length: "wrong length"
      case .rounded: "rounded"
      case .notHeard: "not heard"
      default: nil
      }
    return "warning \(code.rawValue)" + (words.map { ": " + $0 } ?? "")
  }
}
