import JSON

/// Channel to which a client relays its audio.
public struct RelayDestination: Hashable, Sendable {
  /// Channel.
  public let channel: ChannelName
  /// User there; nil for that of the token, and uid 0 for a uid that the relay chooses.
  public let user: UserIdentity?
  /// Token for a user of that channel; nil at a relay that allows the app id alone.
  public let token: SecretText?

  /// Creates a destination.
  public init(channel: ChannelName, user: UserIdentity? = nil, token: SecretText? = nil) {
    self.channel = channel
    self.user = user
    self.token = token
  }

  init(_ fields: MessageFields) throws(MessageError) {
    channel = try fields.requiredChannel()
    user = try fields.optionalIdentity(from: 0)
    token = try fields.secret("token", bytes: 1...MessageLimits.tokenByteCount)
  }

  func write(to json: inout JSONWriter) {
    json.channel(channel)
    if let user { json.user(user) }
    json.optional("token", token)
  }
}
