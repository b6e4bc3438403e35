import JSON

/// Report of a user that has joined a channel, or that follows the list in `joined`.
public struct UserJoinedEvent: Hashable, Sendable, MessageContent {
  static let type = "userJoined"

  /// Channel.
  public let channel: ChannelName
  /// User.
  public let user: ChannelUser

  /// Creates a report.
  public init(channel: ChannelName, user: ChannelUser) {
    self.channel = channel
    self.user = user
  }

  init(_ fields: MessageFields) throws(MessageError) {
    channel = try fields.requiredChannel()
    user = try ChannelUser(fields)
  }

  func write(to json: inout JSONWriter) {
    json.channel(channel)
    user.write(to: &json)
  }
}
