import Signalling

/// Name of a user: a number, or an account.
public enum RtcUser: Hashable, Sendable, CustomStringConvertible {
  /// A number; a join with 0 requests one of the relay.
  case uid(UInt32)
  /// An account: 1 to 255 bytes.
  case account(String)

  /// Identity in messages.
  ///
  /// - Throws: `ChannelError` with code `.user` for an account with another length or character.
  func identity() throws(ChannelError) -> UserIdentity {
    switch self {
    case .uid(let uid): return .uid(uid)
    case .account(let text):
      guard let account = UserAccount(text) else {
        throw ChannelError(.user, "a user account has \(UserAccount.rule); \(UserAccount.fault(in: text))")
      }
      return .account(account)
    }
  }

  /// Identity of the receiver of a message.
  ///
  /// - Throws: `ChannelError` with code `.invalidArgument` for uid 0, otherwise as `identity`.
  func receiver() throws(ChannelError) -> UserIdentity {
    if case .uid(0) = self {
      throw ChannelError(.invalidArgument, "uid 0 is nobody's; name a user by a uid from 1, or by an account")
    }
    return try identity()
  }

  init(_ identity: UserIdentity) {
    self =
      switch identity {
      case .uid(let uid): .uid(uid)
      case .account(let account): .account(account.text)
      }
  }

  public var description: String {
    switch self {
    case .uid(let uid): "\(uid)"
    case .account(let text): text
    }
  }
}
