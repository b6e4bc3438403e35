import JSON

/// Report of the users that the client hears, at a relay with a limit of speakers.
public struct SpeakersEvent: Hashable, Sendable, MessageContent {
  static let type = "speakers"

  /// Channel.
  public let channel: ChannelName
  /// Uids in ascending order, at most `MessageLimits.userCount`; nil if the packets of all users go to the client.
  public let users: [UInt32]?

  /// Creates a report.
  public init(channel: ChannelName, users: [UInt32]?) {
    self.channel = channel
    self.users = users
  }

  init(_ fields: MessageFields) throws(MessageError) {
    channel = try fields.requiredChannel()
    users = try fields.objects("users", atMost: MessageLimits.userCount).map { list throws(MessageError) in
      var users: [UInt32] = []
      for fields in list { users.append(try fields.requiredUID()) }
      return users
    }
  }

  func write(to json: inout JSONWriter) {
    json.channel(channel)
    guard let users else { return }
    json.array("users") { json in
      for uid in users { json.object { $0.field("uid", uid) } }
    }
  }
}
