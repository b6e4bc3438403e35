public import Signalling

/// Options of a channel; in an update nil leaves a value as it is.
public struct ChannelMediaOptions: Hashable, Sendable {
  /// Whether audio is published; at first it is, if the role allows that.
  public var publishesAudio: Bool?
  /// Whether a local source that the program does not push is a part of it, such as a device or a file; true at first.
  public var publishesMicrophone: Bool?
  /// Whether a local source that the program pushes is a part of it; true at first.
  public var publishesCustomAudio: Bool?
  /// Whether music and effects that are sent are a part of it; true at first.
  public var publishesMixedFile: Bool?
  /// Whether every user is subscribed; true at first.
  public var autoSubscribesAudio: Bool?
  /// Users that are heard at the same time, at most: the loudest ones; 0, as at first, for as many as the relay allows.
  public var maximumSpeakerCount: Int?
  /// Role of the user; audience at first.
  public var role: ClientRole?
  /// Wait of the received sound while the role is that of the audience; ultra low at first.
  public var audienceLatencyLevel: AudienceLatencyLevel?
  /// Profile of the channel, only at the join; live at first.
  public var profile: ChannelProfile?
  /// New token, only in an update.
  public var token: String?
  /// Text for the relay's logs, only at the join; at most 1024 bytes.
  public var info: String?

  /// Creates options from their parts.
  public init(
    publishesAudio: Bool? = nil, publishesMicrophone: Bool? = nil, publishesCustomAudio: Bool? = nil,
    publishesMixedFile: Bool? = nil, autoSubscribesAudio: Bool? = nil, role: ClientRole? = nil,
    audienceLatencyLevel: AudienceLatencyLevel? = nil, profile: ChannelProfile? = nil, token: String? = nil,
    info: String? = nil, maximumSpeakerCount: Int? = nil
  ) {
    self.maximumSpeakerCount = maximumSpeakerCount
    self.publishesAudio = publishesAudio
    self.publishesMicrophone = publishesMicrophone
    self.publishesCustomAudio = publishesCustomAudio
    self.publishesMixedFile = publishesMixedFile
    self.autoSubscribesAudio = autoSubscribesAudio
    self.role = role
    self.audienceLatencyLevel = audienceLatencyLevel
    self.profile = profile
    self.token = token
    self.info = info
  }

  /// Options of a user that speaks and hears.
  public static let broadcaster = ChannelMediaOptions(role: .broadcaster)
  /// Options of a user that only hears.
  public static let audience = ChannelMediaOptions(role: .audience)

  /// Settings at a join.
  func makeSettings() -> ChannelSettings {
    let role = role ?? .audience
    let maySpeak = role == .broadcaster || !(profile ?? .live).hasRoles
    var settings = ChannelSettings(
      role: role, publishes: publishesAudio ?? maySpeak, autoSubscribe: autoSubscribesAudio ?? true)
    if (profile ?? .live).hasRoles { settings.audienceLatencyLevel = audienceLatencyLevel ?? .ultraLow }
    applyParts(to: &settings)
    if let maximumSpeakerCount { settings.setMaximumSpeakerCount(maximumSpeakerCount) }
    return settings
  }

  /// Checks that the latency level fits the role.
  ///
  /// - Parameter present: Role without one in the options.
  /// - Throws: `.refused` for a broadcaster with another level than ultra low.
  func checkLatencyLevel(present: ClientRole) throws(ChannelError) {
    guard audienceLatencyLevel == .low, (role ?? present) == .broadcaster else { return }
    throw ChannelError(
      .refused, "a broadcaster hears with ultra low latency only; set the level with the role of the audience")
  }

  /// Applies an update; a profile without roles ignores roles and their levels.
  func apply(to settings: inout ChannelSettings, hasRoles: Bool) {
    if hasRoles, let role, role != settings.role {
      settings.role = role
      settings.publishes = role == .broadcaster
    }
    if hasRoles, let audienceLatencyLevel { settings.audienceLatencyLevel = audienceLatencyLevel }
    applyParts(to: &settings)
    if let publishesAudio { settings.publishes = publishesAudio }
    if let maximumSpeakerCount { settings.setMaximumSpeakerCount(maximumSpeakerCount) }
    if let autoSubscribesAudio { settings.autoSubscribe = autoSubscribesAudio }
  }

  private func applyParts(to settings: inout ChannelSettings) {
    if let publishesMicrophone { settings.publishesMicrophone = publishesMicrophone }
    if let publishesCustomAudio { settings.publishesCustomAudio = publishesCustomAudio }
    if let publishesMixedFile { settings.publishesMixedFile = publishesMixedFile }
  }
}
