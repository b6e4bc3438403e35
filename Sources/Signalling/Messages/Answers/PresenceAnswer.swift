import JSON

/// Answer to `presence`: whether the user is online.
public struct PresenceAnswer: Hashable, Sendable, MessageContent {
  static let type = "presence"

  /// Id of the request.
  public let id: UInt32
  /// User of the request.
  public let user: UserIdentity
  /// Whether a connected session of the app has this user.
  public let online: Bool

  /// Creates an answer.
  public init(id: UInt32, user: UserIdentity, online: Bool) {
    self.id = id
    self.user = user
    self.online = online
  }

  init(_ fields: MessageFields) throws(MessageError) {
    id = try fields.requiredID()
    user = try fields.require("user", fields.object("user")).identity(from: 1)
    online = try fields.require("online", fields.flag("online"))
  }

  func write(to json: inout JSONWriter) {
    json.field("id", id)
    json.object("user") { $0.user(user) }
    json.field("online", online)
  }
}
