/// Reason why a token is refused. No error shows a token or a secret.
public enum TokenError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The text is longer than `TokenVerifier.maximumByteCount`.
  case tooLong(byteCount: Int)
  /// The text does not have three parts with points between them.
  case parts
  /// A part is not base64url, or does not hold a JSON object without duplicate keys.
  case malformed(TokenPart)
  /// The algorithm of the signature is not HS256.
  case algorithm
  /// The header demands an extension.
  case criticalExtension
  /// No secret of the app has the header's `kid`.
  case unknownKeyID
  /// The signature does not match a secret of the app.
  case signature
  /// A claim is absent, or has another value than the text of `expected` allows.
  case claim(String, expected: String)
  /// The claim `channel` is not a channel's name.
  case channelName
  /// The claims `uid` and `account` do not name one user.
  case user
  /// A token for any channel is also for any user.
  case wildcardUser
  /// The token's validity has ended.
  case expired(at: Int64, now: Int64)
  /// The token's validity has not begun.
  case notYetValid(from: Int64, now: Int64)
  /// The token is for another app.
  case otherApp
  /// The token is for another channel.
  case otherChannel(TokenScope, requested: ChannelName)
  /// The token is for another user.
  case otherUser(UserIdentity, requested: UserIdentity)
  /// The token does not allow the requested role.
  case role(TokenRole, requested: ClientRole)
  /// The token does not grant the required rights.
  case rights(missing: TokenRights)
  /// The token hides its user, who would have to be announced to publish.
  case hiddenPublisher
  /// The token does not allow relaying to a channel.
  case relayDestination(ChannelName)

  /// Number of the refusal.
  public var code: ChannelErrorCode {
    switch self {
    case .expired: .tokenExpired
    case .channelName: .channelName
    case .user: .user
    case .role, .rights, .hiddenPublisher, .relayDestination: .refused
    default: .invalidToken
    }
  }

  /// Reason of the connection's state `failed`.
  public var reason: ConnectionReason {
    switch self {
    case .expired: .tokenExpired
    case .otherApp: .invalidAppID
    case .channelName: .invalidChannel
    case .role, .rights, .hiddenPublisher, .relayDestination: .rejected
    default: .invalidToken
    }
  }

  public var description: String {
    switch self {
    case .tooLong(let count):
      "the token has \(count) bytes, and \(TokenVerifier.maximumByteCount) are allowed; sign fewer claims"
    case .parts: "the token is not a JWT, which has three parts with points between them; pass the signer's whole text"
    case .malformed(let part):
      "the token's \(part.rawValue) is not \(part.form); pass the signer's text unchanged"
    case .algorithm: "the token's header has another algorithm than HS256; sign with HS256"
    case .criticalExtension: "the token's header demands an extension ('crit'), and none is supported; sign without it"
    case .unknownKeyID: "the app has no secret with the 'kid' of the token's header; sign with a current secret"
    case .signature: "the token's signature does not match a secret of the app; sign with the app's secret"
    case .claim(let name, let expected): "the token needs a claim '\(name)' that is \(expected); sign it so"
    case .channelName: "the token's claim 'channel' must be * or \(TokenClaim.channel); sign it so"
    case .user: "the token must have either \(TokenClaim.uid) as 'uid' or \(TokenClaim.account) as 'account'"
    case .wildcardUser: "a token for any channel needs a uid other than 0, or an account; sign it for one user"
    case .expired(let end, let now): "the token expired \(now - end) s ago by the relay's clock; request a new token"
    case .notYetValid(let start, let now):
      "the token is valid in \(start - now) s by the relay's clock ('nbf'); set the signer's clock, or wait"
    case .otherApp: "the token is for another app; sign it with this app's id"
    case .otherChannel(let scope, let requested):
      "the token is for \(scope), and the request is for channel '\(requested)'; sign a token for that channel"
    case .otherUser(let user, let requested):
      "the token is for \(user), and the request is for \(requested); sign a token for that user"
    case .role(let role, let requested):
      "the token allows the role \(role.rawValue) at most, not \(requested.name); sign a token with that role"
    case .rights(let missing): "the token does not grant: \(missing); sign a token with these rights"
    case .hiddenPublisher:
      "a token with 'hidden' does not let its user publish; sign it without 'hidden', or without 'publish'"
    case .relayDestination(let name):
      "the token does not allow relaying to channel '\(name)'; add 'relay:\(name)' to its rights"
    }
  }
}
