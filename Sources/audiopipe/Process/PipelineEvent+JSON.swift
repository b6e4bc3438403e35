import Engine
import FrameObservers

extension PipelineEvent.Kind {
  /// What results call it.
  var name: String {
    switch self {
    case .volumes: "volumes"
    case .activeSpeaker: "activeSpeaker"
    case .localVoicePitch: "localVoicePitch"
    case .effectFinished: "effectFinished"
    case .effectInterrupted: "effectInterrupted"
    case .music: "musicState"
    case .musicFinished: "musicFinished"
    case .remoteMusicStarted: "remoteMusicStarted"
    case .remoteMusicFinished: "remoteMusicFinished"
    case .recordingFailed: "recordingFailed"
    case .remoteAudioState: "remoteAudioStateChanged"
    case .remoteSourceChanged: "remoteSourceChanged"
    case .remoteMuted: "didAudioMuted"
    case .remoteAudioStatistics: "remoteAudioStats"
    case .localAudioStatistics: "localAudioStats"
    case .callStatistics: "reportRtcStats"
    case .networkQuality: "networkQuality"
    case .warning: "warning"
    }
  }

  /// What results say of it, besides its name and time. Volumes stand elsewhere in a result.
  func writeFields(_ json: inout JSONWriter) {
    switch self {
    case .volumes, .musicFinished: break
    case .activeSpeaker(let id), .remoteMusicStarted(let id), .remoteMusicFinished(let id):
      json.field("uid", Int(id.uid))
    case .localVoicePitch(let hertz): json.field("f0_hz", hertz, decimals: 2)
    case .effectFinished(let soundID), .effectInterrupted(let soundID): json.field("sound_id", soundID)
    case .music(let state, let reason):
      json.field("state", state.rawValue)
      json.field("reason", reason.rawValue)
    case .recordingFailed(let path, let reason):
      json.field("path", path)
      json.field("message", reason)
    case .remoteAudioState(let change): change.write(&json)
    case .remoteSourceChanged(let id, let ssrc):
      json.field("uid", Int(id.uid))
      json.field("ssrc", Int(ssrc))
    case .remoteMuted(let id, let isMuted):
      json.field("uid", Int(id.uid))
      json.field("muted", isMuted)
    case .remoteAudioStatistics(let statistics): statistics.write(&json)
    case .localAudioStatistics(let statistics): statistics.write(&json)
    case .callStatistics(let statistics): statistics.write(&json)
    case .networkQuality(let report): report.write(&json)
    case .warning(let warning):
      json.field("code", warning.code.rawValue)
      json.field("message", warning.message)
    }
  }

  /// What a picture calls it; nil where it is not shown there.
  var label: String? {
    switch self {
    case .volumes, .localVoicePitch: nil
    case .remoteAudioState, .remoteMuted, .remoteAudioStatistics, .localAudioStatistics, .callStatistics,
      .networkQuality:
      nil
    case .activeSpeaker(let id): id.uid == 0 ? "listener" : "speaker \(id.uid)"
    case .effectFinished(let soundID): "effect \(soundID) ends"
    case .effectInterrupted(let soundID): "effect \(soundID) breaks off"
    // The end is told twice, once by the state.
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
