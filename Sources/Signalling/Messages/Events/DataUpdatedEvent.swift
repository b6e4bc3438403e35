import JSON

/// Report that another token gives the client the right to send messages of data streams, or takes it.
public struct DataUpdatedEvent: Hashable, Sendable, MessageContent {
  static let type = "dataUpdated"

  /// Channel.
  public let channel: ChannelName
  /// SSRCs of messages from now on; those of the join stay.
  public let data: DataSources

  /// Creates a report.
  public init(channel: ChannelName, data: DataSources) {
    self.channel = channel
    self.data = data
  }

  init(_ fields: MessageFields) throws(MessageError) {
    channel = try fields.requiredChannel()
    guard let sources = try fields.object("data") else { throw fields.missing("data") }
    data = try DataSources(sources)
  }

  func write(to json: inout JSONWriter) {
    json.channel(channel)
    json.object("data") { data.write(to: &$0) }
  }
}
