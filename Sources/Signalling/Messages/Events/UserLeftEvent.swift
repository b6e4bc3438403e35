import JSON

/// Report of a user that has left a channel or the broadcasters.
public struct UserLeftEvent: Hashable, Sendable, MessageContent {
  static let type = "userLeft"

  /// Channel.
  public let channel: ChannelName
  /// User.
  public let uid: UInt32
  /// Reason; an unknown number counts as `dropped`.
  public let reason: OfflineReason

  /// Creates a report.
  public init(channel: ChannelName, uid: UInt32, reason: OfflineReason) {
    self.channel = channel
    self.uid = uid
    self.reason = reason
  }

  init(_ fields: MessageFields) throws(MessageError) {
    channel = try fields.requiredChannel()
    uid = try fields.requiredUID()
    reason = try fields.require("reason", fields.number("reason", unknown: OfflineReason.dropped))
  }

  func write(to json: inout JSONWriter) {
    json.channel(channel)
    json.field("uid", uid)
    json.field("reason", reason.rawValue)
  }
}
