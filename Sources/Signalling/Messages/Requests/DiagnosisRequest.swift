import JSON

/// Request of a client for the reasons why it does not hear a user.
public struct DiagnosisRequest: Hashable, Sendable, MessageContent {
  static let type = "diagnose"

  /// Id of the request, from 1 on.
  public let id: UInt32
  /// Channel.
  public let channel: ChannelName
  /// User; nil for all users of the channel.
  public let uid: UInt32?

  /// Creates a request.
  public init(id: UInt32, channel: ChannelName, uid: UInt32? = nil) {
    self.id = id
    self.channel = channel
    self.uid = uid
  }

  init(_ fields: MessageFields) throws(MessageError) {
    id = try fields.requiredID()
    channel = try fields.requiredChannel()
    uid = try fields.uid()
  }

  func write(to json: inout JSONWriter) {
    json.field("id", id)
    json.channel(channel)
    json.optional("uid", uid)
  }
}
