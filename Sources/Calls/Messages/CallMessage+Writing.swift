import JSON

extension CallMessage {
  /// The message in JSON.
  var text: String {
    var json = JSONWriter()
    json.object { json in
      json.field("version", Self.version)
      json.field("type", body.name)
      json.field("callId", callID)
      json.field("device", device)
      switch body {
      case .call(let invitation): invitation.write(&json)
      case .cancel(let end), .reject(let end), .hangup(let end):
        json.field("cause", end.cause.rawValue)
        if let reason = end.reason { json.field("reason", reason) }
      case .accept: break
      case .taken(let device): json.field("by", device)
      }
    }
    return json.text
  }
}

extension CallMessage.Invitation {
  fileprivate func write(_ json: inout JSONWriter) {
    json.field("room", room)
    json.field("media", type == .audio ? "audio" : "video")
    json.field("ringMilliseconds", ringMilliseconds)
    if let userExtension { json.field("userExtension", userExtension) }
    if let callExtension { json.field("callExtension", callExtension) }
  }
}

extension CallMessage.Body {
  /// Name of the type in messages.
  var name: String {
    switch self {
    case .call: "call"
    case .cancel: "cancel"
    case .accept: "accept"
    case .reject: "reject"
    case .hangup: "hangup"
    case .taken: "taken"
    }
  }
}
