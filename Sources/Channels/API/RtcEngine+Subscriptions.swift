import Platform
import RelayClient

/// Subscriptions of the main channel by name. They may come before the join, and outlive it.
extension RtcEngine {
  /// Sets the users that are heard in any case: although everyone is muted, and before louder speakers within a
  /// limit of speakers (the first 32 by their uids).
  ///
  /// - Parameters:
  ///   - uids: At most 500 users, present or not; an empty list ends it.
  ///   - completion: Called with the relay's answer, or at once without a channel.
  /// - Throws: `.invalidArgument` for a longer list or uid 0, `.destroyed` behind the end of the engine.
  public func setSubscribeAudioAllowlist(
    _ uids: [UInt32], completion: (@Sendable (Result<Void, ChannelError>) -> Void)? = nil
  ) throws(ChannelError) {
    try set(\.allowedUsers, uids)
    passOn(completion) { connection in
      connection.change(.setSubscribeAudioAllowlist, completion) { $0.allowedUsers = Set(uids) }
    }
  }

  /// Sets the users that are not heard, even if they are on the other list.
  ///
  /// - Parameters:
  ///   - uids: At most 500 users, present or not; an empty list ends it.
  ///   - completion: Called with the relay's answer, or at once without a channel.
  /// - Throws: `.invalidArgument` for a longer list or uid 0, `.destroyed` behind the end of the engine.
  public func setSubscribeAudioBlocklist(
    _ uids: [UInt32], completion: (@Sendable (Result<Void, ChannelError>) -> Void)? = nil
  ) throws(ChannelError) {
    try set(\.blockedUsers, uids)
    passOn(completion) { connection in
      connection.change(.setSubscribeAudioBlocklist, completion) { $0.blockedUsers = Set(uids) }
    }
  }

  /// Calls `RtcConnection.setSubscribeAudioAllowlist`.
  public func setSubscribeAudioAllowlistEx(_ uids: [UInt32], connection: RtcConnection) throws(ChannelError) {
    try connection.setSubscribeAudioAllowlist(uids)
  }

  /// Calls `RtcConnection.setSubscribeAudioBlocklist`.
  public func setSubscribeAudioBlocklistEx(_ uids: [UInt32], connection: RtcConnection) throws(ChannelError) {
    try connection.setSubscribeAudioBlocklist(uids)
  }

  private func set(
    _ list: WritableKeyPath<ChannelSettings, Set<UInt32>>, _ uids: [UInt32]
  ) throws(ChannelError) {
    try checkNotDestroyed()
    try RtcConnection.check(list: uids)
    state.withLock { $0.mutes[keyPath: list] = Set(uids) }
  }
}
