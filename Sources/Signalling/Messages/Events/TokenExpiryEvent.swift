import JSON

/// Report of a token that is about to expire.
public struct TokenExpiryEvent: Hashable, Sendable, MessageContent {
  static let type = "tokenWillExpire"

  /// Channel of the join with the token; nil for the token of the session.
  public let channel: ChannelName?
  /// Time until the token expires by the relay's clock, in ms.
  public let milliseconds: Int64

  /// Creates a report.
  public init(channel: ChannelName? = nil, milliseconds: Int64) {
    self.channel = channel
    self.milliseconds = milliseconds
  }

  init(_ fields: MessageFields) throws(MessageError) {
    channel = try fields.channel()
    milliseconds = try fields.require("milliseconds", fields.integer("milliseconds", in: MessageLimits.milliseconds))
  }

  func write(to json: inout JSONWriter) {
    json.channel(channel)
    json.field("milliseconds", Int(milliseconds))
  }
}
