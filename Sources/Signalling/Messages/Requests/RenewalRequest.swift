import JSON

/// Request of a client to replace a token.
public struct RenewalRequest: Hashable, Sendable, MessageContent {
  static let type = "renewToken"

  /// Id of the request, from 1 on.
  public let id: UInt32
  /// Channel of the join with a token; nil for the token of the session.
  public let channel: ChannelName?
  /// New token.
  public let token: SecretText

  /// Creates a request.
  public init(id: UInt32, channel: ChannelName? = nil, token: SecretText) {
    self.id = id
    self.channel = channel
    self.token = token
  }

  init(_ fields: MessageFields) throws(MessageError) {
    id = try fields.requiredID()
    channel = try fields.channel()
    token = try fields.require("token", fields.secret("token", bytes: 1...MessageLimits.tokenByteCount))
  }

  func write(to json: inout JSONWriter) {
    json.field("id", id)
    json.channel(channel)
    json.field("token", token.text)
  }
}
