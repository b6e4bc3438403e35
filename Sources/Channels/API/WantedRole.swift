import Signalling

/// Role of the next join, and the latency level of an audience.
struct WantedRole {
  var role = ClientRole.audience
  var audienceLatencyLevel = AudienceLatencyLevel.ultraLow

  /// Options of the role.
  var options: ClientRoleOptions {
    ClientRoleOptions(of: role, audienceLatencyLevel: audienceLatencyLevel)
  }

  /// Takes the role and the level of options; nil values stay.
  mutating func apply(_ media: ChannelMediaOptions) {
    role = media.role ?? role
    audienceLatencyLevel = media.audienceLatencyLevel ?? audienceLatencyLevel
  }

  /// Adds the role and the level to options without them. A level of the audience does not fit a broadcaster.
  func complete(_ media: inout ChannelMediaOptions) {
    media.role = media.role ?? role
    if media.role == .audience { media.audienceLatencyLevel = media.audienceLatencyLevel ?? audienceLatencyLevel }
  }
}
