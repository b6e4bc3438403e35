import JSON

/// Answer to `leave`: the client is no longer in the channel.
public struct LeftAnswer: Hashable, Sendable, MessageContent {
  static let type = "left"

  /// Id of the request.
  public let id: UInt32
  /// Channel.
  public let channel: ChannelName

  /// Creates an answer.
  public init(id: UInt32, channel: ChannelName) {
    self.id = id
    self.channel = channel
  }

  init(_ fields: MessageFields) throws(MessageError) {
    id = try fields.requiredID()
    channel = try fields.requiredChannel()
  }

  func write(to json: inout JSONWriter) {
    json.field("id", id)
    json.channel(channel)
  }
}
