import JSON

/// Request of a client to change its options in a channel. Absent fields stay as they are.
public struct UpdateRequest: Hashable, Sendable, MessageContent {
  static let type = "update"

  /// Id of the request, from 1 on.
  public let id: UInt32
  /// Channel.
  public let channel: ChannelName
  /// Role.
  public let role: ClientRole?
  /// Whether the client publishes its audio.
  public let publishes: Bool?
  /// Whether the client has muted its audio, as the other users see it.
  public let muted: Bool?
  /// Whether the client sends music with its audio, as the other users see it.
  public let music: Bool?
  /// Quality of the client's own paths.
  public let quality: UserQuality?
  /// Whether the client subscribes to each user that publishes.
  public let autoSubscribe: Bool?
  /// Publishers that the client hears at the same time, at most; 0 for as many as the relay lets it.
  public let speakers: UInt32?
  /// Options for single users, at most `MessageLimits.userCount`.
  public let users: [UserOptions]

  /// Creates a request.
  public init(
    id: UInt32, channel: ChannelName, role: ClientRole? = nil, publishes: Bool? = nil, muted: Bool? = nil,
    music: Bool? = nil, quality: UserQuality? = nil, autoSubscribe: Bool? = nil, speakers: UInt32? = nil,
    users: [UserOptions] = []
  ) {
    self.id = id
    self.channel = channel
    self.role = role
    self.publishes = publishes
    self.muted = muted
    self.music = music
    self.quality = quality
    self.autoSubscribe = autoSubscribe
    self.speakers = speakers
    self.users = users
  }

  init(_ fields: MessageFields) throws(MessageError) {
    id = try fields.requiredID()
    channel = try fields.requiredChannel()
    role = try fields.choice("role")
    publishes = try fields.flag("publishes")
    muted = try fields.flag("muted")
    music = try fields.flag("music")
    quality = try fields.quality()
    autoSubscribe = try fields.flag("autoSubscribe")
    speakers = try fields.integer("speakers", in: 0...MessageLimits.speakerCount)
    var users: [UserOptions] = []
    for fields in try fields.objects("users", atMost: MessageLimits.userCount) ?? [] {
      users.append(try UserOptions(fields))
    }
    self.users = users
  }

  func write(to json: inout JSONWriter) {
    json.field("id", id)
    json.channel(channel)
    json.optional("role", role?.name)
    json.optional("publishes", publishes)
    json.optional("muted", muted)
    json.optional("music", music)
    json.quality(quality)
    json.optional("autoSubscribe", autoSubscribe)
    json.optional("speakers", speakers)
    json.array("users") { json in
      for element in users { json.object { element.write(to: &$0) } }
    }
  }
}
