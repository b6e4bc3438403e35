import Signalling

/// Name of the local user in a channel.
public enum RtcUser: Hashable, Sendable {
  /// A number; 0 requests one of the relay.
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
}
