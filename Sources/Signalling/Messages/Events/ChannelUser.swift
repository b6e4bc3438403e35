import JSON

/// User of a channel as a listener sees it.
public struct ChannelUser: Hashable, Sendable {
  /// Uid in the channel.
  public let uid: UInt32
  /// Account; nil for a user without one.
  public let account: UserAccount?
  /// Whether the user has muted its audio.
  public let muted: Bool
  /// Whether the user publishes its audio.
  public let publishes: Bool
  /// Whether the user sends music with its audio.
  public let music: Bool
  /// Quality of the user's own paths; nil before the first report.
  public let quality: UserQuality?
  /// SSRC of the user's audio for this listener; nil without a subscription.
  public let ssrc: UInt32?

  /// Creates a user.
  public init(
    uid: UInt32, account: UserAccount? = nil, muted: Bool = false, publishes: Bool = false, music: Bool = false,
    quality: UserQuality? = nil, ssrc: UInt32? = nil
  ) {
    self.uid = uid
    self.account = account
    self.muted = muted
    self.publishes = publishes
    self.music = music
    self.quality = quality
    self.ssrc = ssrc
  }

  init(_ fields: MessageFields) throws(MessageError) {
    uid = try fields.requiredUID()
    account = try fields.account()
    muted = try fields.flag("muted") ?? false
    publishes = try fields.flag("publishes") ?? false
    music = try fields.flag("music") ?? false
    quality = try fields.quality()
    ssrc = try fields.ssrc()
  }

  func write(to json: inout JSONWriter) {
    json.field("uid", uid)
    json.optional("account", account?.text)
    json.field("muted", muted)
    json.field("publishes", publishes)
    if music { json.field("music", true) }
    json.quality(quality)
    json.optional("ssrc", ssrc)
  }
}
