package import Signalling

/// Options of a role.
public struct ClientRoleOptions: Hashable, Sendable {
  /// Wait of the received sound; a broadcaster has `.ultraLow` only.
  public var audienceLatencyLevel: AudienceLatencyLevel

  /// Creates options from their parts.
  public init(audienceLatencyLevel: AudienceLatencyLevel = .ultraLow) {
    self.audienceLatencyLevel = audienceLatencyLevel
  }

  /// Creates the options of a role: the level is that of an audience.
  package init(of role: ClientRole, audienceLatencyLevel: AudienceLatencyLevel) {
    self.init(audienceLatencyLevel: role == .audience ? audienceLatencyLevel : .ultraLow)
  }
}
