import JSON

/// Options of a listener for one user. Absent fields stay as they are.
public struct UserOptions: Hashable, Sendable {
  /// User.
  public let uid: UInt32
  /// Whether the listener subscribes to the user.
  public let subscribes: Bool?
  /// Whether the listener has muted the user: the subscription stays, and no packets come.
  public let muted: Bool?

  /// Creates options.
  public init(uid: UInt32, subscribes: Bool? = nil, muted: Bool? = nil) {
    self.uid = uid
    self.subscribes = subscribes
    self.muted = muted
  }

  init(_ fields: MessageFields) throws(MessageError) {
    uid = try fields.requiredUID()
    subscribes = try fields.flag("subscribes")
    muted = try fields.flag("muted")
  }

  func write(to json: inout JSONWriter) {
    json.field("uid", uid)
    json.optional("subscribes", subscribes)
    json.optional("muted", muted)
  }
}
