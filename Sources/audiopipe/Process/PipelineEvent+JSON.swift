import Engine
import FrameObservers

extension PipelineEvent.Kind {
  /// What results call it.
  var name: String {
    switch self {
    case .volumes: "volumes"
    case .activeSpeaker: "activeSpeaker"
    }
  }

  /// What results say of it, besides its name and time. Volumes stand elsewhere in a result.
  func writeFields(_ json: inout JSONWriter) {
    switch self {
    case .volumes: break
    case .activeSpeaker(let id): json.field("uid", Int(id.uid))
    }
  }
}
