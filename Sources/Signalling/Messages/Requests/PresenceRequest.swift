import JSON

/// Request of a client to learn whether a user of the same app has a connected session.
///
/// It stands beside `ClientMessage`, so that readers of that need not know it.
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

  /// Reads a request.
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
  }

  /// Text of the request.
  public var text: String { messageText }

  func write(to json: inout JSONWriter) {
    json.field("id", id)
    json.object("user") { $0.user(user) }
  }
}
