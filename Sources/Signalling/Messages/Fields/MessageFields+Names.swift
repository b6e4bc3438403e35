extension MessageFields {
  /// Id of the request, which every request and every answer has.
  func requiredID() throws(MessageError) -> UInt32 {
    try require("id", integer("id", in: 1...UInt32.max))
  }

  func channel(_ name: String = "channel") throws(MessageError) -> ChannelName? {
    try parsed(name, TokenClaim.channel, .channelName) { ChannelName($0) }
  }

  func requiredChannel() throws(MessageError) -> ChannelName { try require("channel", channel()) }

  /// Reads the uid of a user in a channel, which is never 0.
  func uid() throws(MessageError) -> UInt32? { try integer("uid", in: 1...UInt32.max, code: .user) }

  func requiredUID() throws(MessageError) -> UInt32 { try require("uid", uid()) }

  func account() throws(MessageError) -> UserAccount? {
    try parsed("account", TokenClaim.account, .user) { UserAccount($0) }
  }

  func ssrc() throws(MessageError) -> UInt32? { try integer("ssrc", in: 0...UInt32.max) }

  /// Reads either a uid from `lowest` on or an account.
  func identity(from lowest: UInt32) throws(MessageError) -> UserIdentity {
    let uid = try integer("uid", in: lowest...UInt32.max, code: .user)
    switch (uid, try account()) {
    case (let uid?, nil): return .uid(uid)
    case (nil, let account?): return .account(account)
    case (nil, nil): throw missing("uid", "account")
    default: throw error("account", "absent beside 'uid'; name the user one way", .user)
    }
  }

  /// Reads a user from uid `lowest` on, by uid or account; nil without either.
  func optionalIdentity(from lowest: UInt32 = 1) throws(MessageError) -> UserIdentity? {
    if try integer("uid", in: lowest...UInt32.max, code: .user) == nil, try account() == nil { return nil }
    return try identity(from: lowest)
  }
}
