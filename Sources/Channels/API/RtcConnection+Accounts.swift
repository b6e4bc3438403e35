/// Names of users with accounts.
extension RtcConnection {
  /// Returns the names of a user with an account: the local one, or a remote one that is there.
  ///
  /// - Throws: `.wrongState` without a channel, `.invalidArgument` if no such user is known.
  public func userInfo(uid: UInt32) throws(ChannelError) -> UserInfo {
    guard isActive else { throw notJoined }
    guard let info = accounts.first(where: { $0.uid == uid }) else {
      throw ChannelError(.invalidArgument, "user \(uid) has no known account in the channel '\(channel)'")
    }
    return info
  }

  /// Returns the names of the user with an account.
  ///
  /// - Throws: `.wrongState` without a channel, `.invalidArgument` if no such user is known.
  public func userInfo(userAccount: String) throws(ChannelError) -> UserInfo {
    guard isActive else { throw notJoined }
    guard let info = accounts.first(where: { $0.userAccount == userAccount }) else {
      throw ChannelError(.invalidArgument, "no user of the channel '\(channel)' is known to have this account")
    }
    return info
  }

  private var accounts: [UserInfo] {
    var known = users.compactMap { user in user.account.map { UserInfo(uid: user.uid, userAccount: $0.text) } }
    if case .account(let account) = user, let uid { known.append(UserInfo(uid: uid, userAccount: account)) }
    return known
  }
}
