import JSON

/// Request of a client to make the media connection of a later join ahead of it.
public struct PreloadRequest: Hashable, Sendable, MessageContent {
  static let type = "preload"

  /// Id of the request, from 1 on.
  public let id: UInt32
  /// Channel.
  public let channel: ChannelName
  /// User of the join.
  public let user: UserIdentity
  /// Token of the join; nil for the token of the session.
  public let token: SecretText?
  /// Profile of the channel; live if absent.
  public let profile: ChannelProfile
  /// Offer for the media.
  public let transport: TransportParameters

  /// Creates a request.
  public init(
    id: UInt32, channel: ChannelName, user: UserIdentity, token: SecretText? = nil, profile: ChannelProfile = .live,
    transport: TransportParameters
  ) {
    self.id = id
    self.channel = channel
    self.user = user
    self.token = token
    self.profile = profile
    self.transport = transport
  }

  init(_ fields: MessageFields) throws(MessageError) {
    id = try fields.requiredID()
    channel = try fields.requiredChannel()
    user = try fields.identity(from: 0)
    token = try fields.secret("token", bytes: 1...MessageLimits.tokenByteCount)
    profile = try fields.choice("profile") ?? .live
    transport = try TransportParameters(fields.require("transport", fields.object("transport")))
  }

  func write(to json: inout JSONWriter) {
    json.field("id", id)
    json.channel(channel)
    json.user(user)
    json.optional("token", token)
    json.field("profile", profile.name)
    json.object("transport") { transport.write(to: &$0) }
  }
}
