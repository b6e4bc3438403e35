import JSON

/// Answer to `join`: the client is in the channel.
public struct JoinedAnswer: Hashable, Sendable, MessageContent {
  static let type = "joined"

  /// Id of the request.
  public let id: UInt32
  /// Channel.
  public let channel: ChannelName
  /// Uid of the client in the channel.
  public let uid: UInt32
  /// Account of the client; nil for a client without one.
  public let account: UserAccount?
  /// Answer for the media.
  public let media: MediaDescription
  /// SSRC to publish with; nil for a client that must not publish.
  public let ssrc: UInt32?
  /// Users in the channel, at most `MessageLimits.userCount`; further users follow as `userJoined`.
  public let users: [ChannelUser]
  /// Whether the media connection is that of a preload, connected as it is.
  public let preloaded: Bool
  /// Time without a packet after which the relay drops a user of the channel, in ms; nil from an earlier relay.
  public let dropMilliseconds: Int64?
  /// SSRCs of messages of data streams; nil for a client that takes none, and from an earlier relay.
  public let data: DataSources?

  /// Creates an answer.
  public init(
    id: UInt32, channel: ChannelName, uid: UInt32, account: UserAccount? = nil, media: MediaDescription,
    ssrc: UInt32? = nil, users: [ChannelUser] = [], preloaded: Bool = false,
    dropMilliseconds: Int64? = nil, data: DataSources? = nil
  ) {
    self.id = id
    self.channel = channel
    self.uid = uid
    self.account = account
    self.media = media
    self.ssrc = ssrc
    self.users = users
    self.preloaded = preloaded
    self.dropMilliseconds = dropMilliseconds
    self.data = data
  }

  init(_ fields: MessageFields) throws(MessageError) {
    id = try fields.requiredID()
    channel = try fields.requiredChannel()
    uid = try fields.requiredUID()
    account = try fields.account()
    media = try MediaDescription(fields)
    ssrc = try fields.ssrc()
    var users: [ChannelUser] = []
    for fields in try fields.objects("users", atMost: MessageLimits.userCount) ?? [] {
      users.append(try ChannelUser(fields))
    }
    self.users = users
    preloaded = try fields.flag("preloaded") ?? false
    dropMilliseconds = try fields.integer("dropMilliseconds", in: MessageLimits.milliseconds)
    if let sources = try fields.object("data") { data = try DataSources(sources) } else { data = nil }
  }

  func write(to json: inout JSONWriter) {
    json.field("id", id)
    json.channel(channel)
    json.field("uid", uid)
    json.optional("account", account?.text)
    media.write(to: &json)
    json.optional("ssrc", ssrc)
    if preloaded { json.field("preloaded", true) }
    if let dropMilliseconds { json.field("dropMilliseconds", Int(dropMilliseconds)) }
    if let data { json.object("data") { data.write(to: &$0) } }
    json.array("users") { json in
      for element in users { json.object { element.write(to: &$0) } }
    }
  }
}
