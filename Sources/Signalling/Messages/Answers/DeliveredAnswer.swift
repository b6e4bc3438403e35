import JSON

/// Answer to `message`: the relay has queued it for sessions of the receiver.
public struct DeliveredAnswer: Hashable, Sendable, MessageContent {
  static let type = "delivered"

  /// Id of the request.
  public let id: UInt32
  /// Number of sessions that have the message.
  public let sessions: UInt32

  /// Creates an answer.
  public init(id: UInt32, sessions: UInt32) {
    self.id = id
    self.sessions = sessions
  }

  init(_ fields: MessageFields) throws(MessageError) {
    id = try fields.requiredID()
    sessions = try fields.require("sessions", fields.integer("sessions", in: 1...UInt32.max))
  }

  func write(to json: inout JSONWriter) {
    json.field("id", id)
    json.field("sessions", sessions)
  }
}
