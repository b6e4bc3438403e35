import JSON

/// Message from a user of the same app.
public struct MessageEvent: Hashable, Sendable, MessageContent {
  static let type = "message"

  /// Sender.
  public let from: UserIdentity
  /// Text of the message.
  public let body: String

  /// Creates a message.
  public init(from: UserIdentity, body: String) {
    self.from = from
    self.body = body
  }

  init(_ fields: MessageFields) throws(MessageError) {
    from = try fields.require("from", fields.object("from")).identity(from: 1)
    body = try fields.require("body", fields.text("body", bytes: 1...MessageLimits.bodyByteCount))
  }

  func write(to json: inout JSONWriter) {
    json.object("from") { $0.user(from) }
    json.field("body", body)
  }
}
