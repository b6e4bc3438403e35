import JSON

/// Request of a client to leave a channel. The session stays.
public struct LeaveRequest: Hashable, Sendable, MessageContent {
  static let type = "leave"

  /// Id of the request, from 1 on.
  public let id: UInt32
  /// Channel.
  public let channel: ChannelName

  /// Creates a request.
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
