import Signalling

/// Subscriptions of one channel by name. Each call replaces its list, which outlives a rejoin; a user on both lists is
/// blocked. Mutes of users and `autoSubscribesAudio` do not concern listed users.
extension RtcConnection {
  /// Users of a list, at most.
  static let listedUserCount = 500

  /// Sets the users that are heard in any case: although everyone is muted, and before louder speakers within a
  /// limit of speakers (the first 32 by their uids).
  ///
  /// - Parameters:
  ///   - uids: At most 500 users, present or not; an empty list ends it.
  ///   - completion: Called with the relay's answer; a refusal takes the list back.
  /// - Throws: `.invalidArgument` for a longer list or uid 0, `.destroyed` behind the end of the engine.
  public func setSubscribeAudioAllowlist(
    _ uids: [UInt32], completion: (@Sendable (Result<Void, ChannelError>) -> Void)? = nil
  ) throws(ChannelError) {
    try checkList(uids)
    change(.setSubscribeAudioAllowlist, completion) { $0.allowedUsers = Set(uids) }
  }

  /// Sets the users that are not heard, even if they are on the other list.
  ///
  /// - Parameters:
  ///   - uids: At most 500 users, present or not; an empty list ends it.
  ///   - completion: Called with the relay's answer; a refusal takes the list back.
  /// - Throws: `.invalidArgument` for a longer list or uid 0, `.destroyed` behind the end of the engine.
  public func setSubscribeAudioBlocklist(
    _ uids: [UInt32], completion: (@Sendable (Result<Void, ChannelError>) -> Void)? = nil
  ) throws(ChannelError) {
    try checkList(uids)
    change(.setSubscribeAudioBlocklist, completion) { $0.blockedUsers = Set(uids) }
  }

  private func checkList(_ uids: [UInt32]) throws(ChannelError) {
    if loop.isStopped { throw .destroyed }
    try Self.check(list: uids)
  }

  /// Refuses a list that is too long, or with the uid of nobody.
  static func check(list uids: [UInt32]) throws(ChannelError) {
    guard uids.count <= listedUserCount else {
      throw ChannelError(
        .invalidArgument, "a list has at most \(listedUserCount) users, and this one has \(uids.count)",
        limit: NamedLimit(name: "listed-users", value: Int64(listedUserCount)))
    }
    guard !uids.contains(0) else {
      throw ChannelError(.invalidArgument, "uid 0 is not a user; leave it out of the list")
    }
  }
}
