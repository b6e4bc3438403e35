import Signalling

/// Rights of a session or of a member: those of a token, or all that an app without tokens gives.
struct TokenGrant {
  /// Time before a token's end at which its holder is warned, in nanoseconds.
  static let warningNanoseconds = 30_000_000_000

  /// The token; nil for a session with an app id alone.
  let token: Token?
  /// Text of the token; nil without one.
  let text: SecretText?
  /// Secret that has signed the token; nil without a token.
  let secret: TokenSecret?
  /// Whether its holder has been warned about its end.
  var hasWarned = false
  /// Whether a member has it from its session, which has adopted another one.
  var isInherited = false

  /// Rights, with those that follow from others.
  let rights: TokenRights

  init(token: Token?, text: SecretText?, secret: TokenSecret?) {
    self.token = token
    self.text = text
    self.secret = secret
    rights = token?.rights ?? [.publish, .subscribe, .data]
  }

  /// Whether the token is for a member's channel and user.
  func isFor(_ member: Member) -> Bool {
    guard let token else { return true }
    do throws(TokenError) {
      try TokenVerifier.check(token, channel: member.channel.name, user: member.identity)
      return true
    } catch {
      return false
    }
  }

  /// Refuses another channel, user or role, and missing rights.
  func check(_ channel: ChannelName, _ user: UserIdentity, _ role: ClientRole, publishes: Bool) throws(TokenError) {
    guard let token else { return }
    try TokenVerifier.check(token, channel: channel, user: user)
    try TokenVerifier.check(token, role: role)
    if publishes { try TokenVerifier.check(token, rights: .publish) }
  }
}
