/// Identity of a user in a channel: a number or an account.
public enum UserIdentity: Hashable, Sendable, CustomStringConvertible {
  /// A number. 0 in a join requests a number of the relay; 0 in a token stands for any user.
  case uid(UInt32)
  /// An account.
  case account(UserAccount)

  public var description: String {
    switch self {
    case .uid(let uid): "uid \(uid)"
    case .account(let account): "account '\(account)'"
    }
  }
}
