import JSON

/// Answer to `presence`: whether the user is online.
///
/// It stands beside `RelayMessage`, so that readers of that need not know it.
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

  /// Reads an answer.
  ///
  /// - Returns: Nil for a message of another type.
  /// - Throws: The first fault, with its field and the id of the request.
  public init?(reading text: String) throws(MessageError) {
    let fields = try MessageFields(reading: text)
    guard fields.type == Self.type else { return nil }
    try self.init(fields)
  }

  init(_ fields: MessageFields) throws(MessageError) {
    id = try fields.requiredID()
    user = try fields.require("user", fields.object("user")).identity(from: 1)
    online = try fields.require("online", fields.flag("online"))
  }

  /// Text of the answer.
  public var text: String { messageText }

  func write(to json: inout JSONWriter) {
    json.field("id", id)
    json.object("user") { $0.user(user) }
    json.field("online", online)
  }
}
