import JSON

/// Request of a client to learn whether a user of the same app has a connected session.
public struct PresenceRequest: Hashable, Sendable, MessageContent {
  static let type = "presence"

  /// Id of the request, from 1 on.
  public let id: UInt32
  /// User.
  public let user: UserIdentity

  /// Creates a request.
  public init(id: UInt32, user: UserIdentity) {
    self.id = id
    self.user = user
  }

  init(_ fields: MessageFields) throws(MessageError) {
    id = try fields.requiredID()
    user = try fields.require("user", fields.object("user")).identity(from: 1)
  }

  func write(to json: inout JSONWriter) {
    json.field("id", id)
    json.object("user") { $0.user(user) }
  }
}
