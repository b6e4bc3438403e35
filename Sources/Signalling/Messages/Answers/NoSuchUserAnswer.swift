import JSON

/// Answer to `message`: the receiver has no session in this app.
public struct NoSuchUserAnswer: Hashable, Sendable, MessageContent {
  static let type = "noSuchUser"

  /// Id of the request.
  public let id: UInt32
  /// Receiver of the request.
  public let to: UserIdentity

  /// Creates an answer.
  public init(id: UInt32, to: UserIdentity) {
    self.id = id
    self.to = to
  }

  init(_ fields: MessageFields) throws(MessageError) {
    id = try fields.requiredID()
    to = try fields.require("to", fields.object("to")).identity(from: 1)
  }

  func write(to json: inout JSONWriter) {
    json.field("id", id)
    json.object("to") { $0.user(to) }
  }
}
