import JSON

/// Answer to `renewToken`: the new token is in effect.
public struct RenewedAnswer: Hashable, Sendable, MessageContent {
  static let type = "tokenRenewed"

  /// Id of the request.
  public let id: UInt32
  /// Channel of the request.
  public let channel: ChannelName?
  /// Time until the new token expires, in ms.
  public let milliseconds: Int64

  /// Creates an answer.
  public init(id: UInt32, channel: ChannelName? = nil, milliseconds: Int64) {
    self.id = id
    self.channel = channel
    self.milliseconds = milliseconds
  }

  init(_ fields: MessageFields) throws(MessageError) {
    id = try fields.requiredID()
    channel = try fields.channel()
    milliseconds = try fields.require("milliseconds", fields.integer("milliseconds", in: MessageLimits.milliseconds))
  }

  func write(to json: inout JSONWriter) {
    json.field("id", id)
    json.channel(channel)
    json.field("milliseconds", Int(milliseconds))
  }
}
