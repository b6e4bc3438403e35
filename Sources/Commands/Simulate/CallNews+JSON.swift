import CallSimulation
import Calls
import JSON

extension CallNews {
  /// Name of the news: that of the method of `CallListener`.
  var name: String {
    switch self {
    case .stateChanged: "onCallStateChanged"
    case .event: "onCallEventChanged"
    case .error: "onCallError"
    case .connected: "onCallConnected"
    case .disconnected: "onCallDisconnected"
    case .outcome: "callOutcome"
    }
  }

  /// Writes the fields, with the names of `audiopipe call`.
  func writeFields(_ json: inout JSONWriter) {
    switch self {
    case .stateChanged(let state, let reason, let eventReason, let eventInfo):
      json.field("state", state.rawValue)
      json.field("reason", reason.rawValue)
      if !eventReason.isEmpty { json.field("event_reason", eventReason) }
      guard !eventInfo.isEmpty else { return }
      json.object("event_info") { json in
        for (key, value) in eventInfo.sorted(by: { $0.key < $1.key }) { json.field(key, value) }
      }
    case .event(let event, let reason):
      json.field("number", event.rawValue)
      if let reason { json.field("reason", reason) }
    case .error(let event, let error):
      json.field("number", event.rawValue)
      json.field("type", error.type.rawValue)
      json.field("code", error.code)
      json.field("message", error.message)
    case .connected(let room, let caller):
      json.field("room", room)
      json.field("call_uid", Int(caller))
    case .disconnected(let room, let hangupUser, let duration):
      json.field("room", room)
      json.field("hangup_uid", Int(hangupUser))
      json.field("duration_ms", duration)
    case .outcome(let action, let error):
      json.field("action", action.rawValue)
      json.field("error", error?.code ?? 0)
    }
  }
}
