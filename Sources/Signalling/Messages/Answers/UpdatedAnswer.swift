import JSON

/// Answer to `update`: the options are in effect.
public struct UpdatedAnswer: Hashable, Sendable, MessageContent {
  static let type = "updated"

  /// Id of the request.
  public let id: UInt32
  /// Channel.
  public let channel: ChannelName
  /// SSRC to publish with; nil for a client that must not publish.
  public let ssrc: UInt32?

  /// Creates an answer.
  public init(id: UInt32, channel: ChannelName, ssrc: UInt32? = nil) {
    self.id = id
    self.channel = channel
    self.ssrc = ssrc
  }

  init(_ fields: MessageFields) throws(MessageError) {
    id = try fields.requiredID()
    channel = try fields.requiredChannel()
    ssrc = try fields.ssrc()
  }

  func write(to json: inout JSONWriter) {
    json.field("id", id)
    json.channel(channel)
    json.optional("ssrc", ssrc)
  }
}
