/// Options of a role.
public struct ClientRoleOptions: Hashable, Sendable {
  /// Wait of the received sound; a broadcaster has `.ultraLow` only.
  public var audienceLatencyLevel: AudienceLatencyLevel

  /// Creates options from their parts.
  public init(audienceLatencyLevel: AudienceLatencyLevel = .ultraLow) {
    self.audienceLatencyLevel = audienceLatencyLevel
  }
}
