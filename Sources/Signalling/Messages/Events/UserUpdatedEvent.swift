import JSON

/// Report of a change of a user. Absent fields stay as they are.
public struct UserUpdatedEvent: Hashable, Sendable, MessageContent {
  static let type = "userUpdated"

  /// Channel.
  public let channel: ChannelName
  /// User.
  public let uid: UInt32
  /// Whether the user has muted its audio.
  public let muted: Bool?
  /// Whether the user publishes its audio.
  public let publishes: Bool?
  /// Whether the user sends music with its audio.
  public let music: Bool?
  /// Quality of the user's own paths.
  public let quality: UserQuality?
  /// SSRC of the user's audio for this listener.
  public let ssrc: UInt32?

  /// Creates a report.
  public init(
    channel: ChannelName, uid: UInt32, muted: Bool? = nil, publishes: Bool? = nil, music: Bool? = nil,
    quality: UserQuality? = nil, ssrc: UInt32? = nil
  ) {
    self.channel = channel
    self.uid = uid
    self.muted = muted
    self.publishes = publishes
    self.music = music
    self.quality = quality
    self.ssrc = ssrc
  }

  init(_ fields: MessageFields) throws(MessageError) {
    channel = try fields.requiredChannel()
    uid = try fields.requiredUID()
    muted = try fields.flag("muted")
    publishes = try fields.flag("publishes")
    music = try fields.flag("music")
    quality = try fields.quality()
    ssrc = try fields.ssrc()
  }

  func write(to json: inout JSONWriter) {
    json.channel(channel)
    json.field("uid", uid)
    json.optional("muted", muted)
    json.optional("publishes", publishes)
    json.optional("music", music)
    json.quality(quality)
    json.optional("ssrc", ssrc)
  }
}
