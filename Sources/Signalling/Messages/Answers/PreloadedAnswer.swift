import JSON

/// Answer to `preload`: the relay waits for the client's media connection.
public struct PreloadedAnswer: Hashable, Sendable, MessageContent {
  static let type = "preloaded"

  /// Id of the request.
  public let id: UInt32
  /// Channel.
  public let channel: ChannelName
  /// Answer for the media.
  public let transport: TransportParameters

  /// Creates an answer.
  public init(id: UInt32, channel: ChannelName, transport: TransportParameters) {
    self.id = id
    self.channel = channel
    self.transport = transport
  }

  init(_ fields: MessageFields) throws(MessageError) {
    id = try fields.requiredID()
    channel = try fields.requiredChannel()
    transport = try TransportParameters(fields.require("transport", fields.object("transport")))
  }

  func write(to json: inout JSONWriter) {
    json.field("id", id)
    json.channel(channel)
    json.object("transport") { transport.write(to: &$0) }
  }
}
