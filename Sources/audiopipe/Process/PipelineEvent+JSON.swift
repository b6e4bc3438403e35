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
    case .music: "musicState"
    case .musicFinished: "musicFinished"
    case .recordingFailed: "recordingFailed"
    case .warning: "warning"
    }
  }

  /// What results say of it, besides its name and time. Volumes stand elsewhere in a result.
  func writeFields(_ json: inout JSONWriter) {
    switch self {
    case .volumes, .musicFinished: break
    case .activeSpeaker(let id): json.field("uid", Int(id.uid))
    case .localVoicePitch(let hertz): json.field("f0_hz", hertz, decimals: 2)
    case .effectFinished(let soundID): json.field("sound_id", soundID)
    case .music(let state, let reason):
      json.field("state", state.rawValue)
      json.field("reason", reason.rawValue)
    case .recordingFailed(let path, let reason):
      json.field("path", path)
      json.field("message", reason)
    case .warning(let message): json.field("message", message)
    }
  }
}
