import JSON

/// Message to a user of the same app, in any channel or none.
public struct MessageRequest: Hashable, Sendable, MessageContent {
  static let type = "message"

  /// Id of the request, from 1 on.
  public let id: UInt32
  /// Receiver.
  public let to: UserIdentity
  /// Text of the message, at most `MessageLimits.bodyByteCount` bytes.
  public let body: String

  /// Creates a message.
  public init(id: UInt32, to: UserIdentity, body: String) {
    self.id = id
    self.to = to
    self.body = body
  }

  init(_ fields: MessageFields) throws(MessageError) {
    id = try fields.requiredID()
    to = try fields.require("to", fields.object("to")).identity(from: 1)
    body = try fields.require("body", fields.text("body", bytes: 1...MessageLimits.bodyByteCount))
  }

  func write(to json: inout JSONWriter) {
    json.field("id", id)
    json.object("to") { $0.user(to) }
    json.field("body", body)
  }
}
