import JSON

/// Request of a client to join a channel.
public struct JoinRequest: Hashable, Sendable, MessageContent {
  static let type = "join"

  /// Id of the request, from 1 on.
  public let id: UInt32
  /// Channel.
  public let channel: ChannelName
  /// User; uid 0 requests a uid of the relay.
  public let user: UserIdentity
  /// Token for this channel; nil for the token of the session.
  public let token: SecretText?
  /// Role; the audience if absent.
  public let role: ClientRole
  /// Profile of the channel; live if absent.
  public let profile: ChannelProfile
  /// Whether the client publishes its audio.
  public let publishes: Bool
  /// Whether the client subscribes to each user that publishes.
  public let autoSubscribe: Bool
  /// Any text for logs and the admin API, in place of the one in `hello`; other users do not see it.
  public let info: String?
  /// Offer for the media.
  public let media: MediaDescription
  /// Whether the join takes over the media connection of a preload that fits; `media` is for a join without one.
  public let preloaded: Bool
  /// Publishers that the client hears at the same time, at most; nil for as many as the relay lets it.
  public let speakers: UInt32?
  /// Whether the client takes reports of the speakers that it hears.
  public let speakerEvents: Bool
  /// Whether the client takes messages of data streams; without effect on a join with `sdp`.
  public let data: Bool

  /// Creates a request.
  public init(
    id: UInt32, channel: ChannelName, user: UserIdentity, token: SecretText? = nil, role: ClientRole = .audience,
    profile: ChannelProfile = .live, publishes: Bool = false, autoSubscribe: Bool = true, info: String? = nil,
    media: MediaDescription, preloaded: Bool = false, data: Bool = false,
    speakers: UInt32? = nil, speakerEvents: Bool = false
  ) {
    self.id = id
    self.channel = channel
    self.user = user
    self.token = token
    self.role = role
    self.profile = profile
    self.publishes = publishes
    self.autoSubscribe = autoSubscribe
    self.info = info
    self.media = media
    self.preloaded = preloaded
    self.data = data
    self.speakers = speakers
    self.speakerEvents = speakerEvents
  }

  init(_ fields: MessageFields) throws(MessageError) {
    id = try fields.requiredID()
    channel = try fields.requiredChannel()
    user = try fields.identity(from: 0)
    token = try fields.secret("token", bytes: 1...MessageLimits.tokenByteCount)
    role = try fields.choice("role") ?? .audience
    profile = try fields.choice("profile") ?? .live
    publishes = try fields.flag("publishes") ?? false
    autoSubscribe = try fields.flag("autoSubscribe") ?? true
    info = try fields.text("info", bytes: 0...MessageLimits.infoByteCount)
    media = try MediaDescription(fields)
    preloaded = try fields.flag("preloaded") ?? false
    data = try fields.flag("data") ?? false
    speakers = try fields.integer("speakers", in: 1...MessageLimits.speakerCount)
    speakerEvents = try fields.flag("speakerEvents") ?? false
  }

  func write(to json: inout JSONWriter) {
    json.field("id", id)
    json.channel(channel)
    json.user(user)
    json.optional("token", token)
    json.field("role", role.name)
    json.field("profile", profile.name)
    json.field("publishes", publishes)
    json.field("autoSubscribe", autoSubscribe)
    json.optional("info", info)
    media.write(to: &json)
    if preloaded { json.field("preloaded", true) }
    if data { json.field("data", true) }
    json.optional("speakers", speakers)
    if speakerEvents { json.field("speakerEvents", true) }
  }
}
