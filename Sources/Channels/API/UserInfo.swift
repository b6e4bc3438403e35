/// A user with an account, and its uid in a channel.
public struct UserInfo: Hashable, Sendable {
  /// Uid in the channel.
  public let uid: UInt32
  /// Account.
  public let userAccount: String

  /// Creates the names of a user.
  public init(uid: UInt32, userAccount: String) {
    self.uid = uid
    self.userAccount = userAccount
  }
}
