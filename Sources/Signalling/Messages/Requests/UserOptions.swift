import JSON

/// Options of a listener for one user. Absent fields stay as they are.
public struct UserOptions: Hashable, Sendable {
  /// User.
  public let uid: UInt32
  /// Whether the listener subscribes to the user.
  public let subscribes: Bool?
  /// Whether the subscription follows `autoSubscribe` again, in place of `subscribes`.
  public let automatic: Bool
  /// Whether the listener has muted the user: the subscription stays, and no packets come.
  public let muted: Bool?

  /// Creates options.
  public init(uid: UInt32, subscribes: Bool? = nil, automatic: Bool = false, muted: Bool? = nil) {
    self.uid = uid
    self.subscribes = subscribes
    self.automatic = automatic
    self.muted = muted
  }

  init(_ fields: MessageFields) throws(MessageError) {
    uid = try fields.requiredUID()
    subscribes = try fields.flag("subscribes")
    automatic = try fields.flag("automatic") ?? false
    muted = try fields.flag("muted")
  }

  func write(to json: inout JSONWriter) {
    json.field("uid", uid)
    json.optional("subscribes", subscribes)
    if automatic { json.field("automatic", true) }
    json.optional("muted", muted)
  }
}
