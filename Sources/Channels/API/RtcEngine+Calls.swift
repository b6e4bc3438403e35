import Platform
public import Signalling

/// Calls for the main channel. Mutes may come before the join, and outlive it.
extension RtcEngine {
  /// Stops or resumes sending the local user's audio to the main channel. The sound at RECORD continues while another
  /// channel takes it.
  ///
  /// - Parameters:
  ///   - isMuted: Whether the audio is stopped.
  ///   - completion: Called with the relay's answer, or at once without a channel.
  public func muteLocalAudio(
    _ isMuted: Bool, completion: (@Sendable (Result<Void, ChannelError>) -> Void)? = nil
  ) {
    state.withLock { $0.mutes.isMuted = isMuted }
    passOn(completion) { $0.muteLocalAudio(isMuted, completion: completion) }
    applyLocalSound()
  }

  /// Stops or resumes hearing a user.
  ///
  /// - Parameters:
  ///   - uid: The user.
  ///   - isMuted: Whether the user is not heard.
  ///   - completion: Called with the relay's answer, or at once without a channel.
  public func muteRemote(
    _ uid: UInt32, _ isMuted: Bool, completion: (@Sendable (Result<Void, ChannelError>) -> Void)? = nil
  ) {
    state.withLock { state in
      if isMuted { state.mutes.mutedUsers.insert(uid) } else { state.mutes.mutedUsers.remove(uid) }
    }
    passOn(completion) { $0.muteRemote(uid, isMuted, completion: completion) }
  }

  /// Stops or resumes hearing every user, including those that come later.
  ///
  /// - Parameters:
  ///   - isMuted: Whether nobody is heard.
  ///   - completion: Called with the relay's answer, or at once without a channel.
  public func muteAllRemote(
    _ isMuted: Bool, completion: (@Sendable (Result<Void, ChannelError>) -> Void)? = nil
  ) {
    state.withLock { state in
      state.mutes.isEveryoneMuted = isMuted
      if !isMuted { state.mutes.mutedUsers = [] }
    }
    passOn(completion) { $0.muteAllRemote(isMuted, completion: completion) }
  }

  /// Replaces the token. After its expiry the user joins again. The delegate gets the relay's answer.
  ///
  /// - Throws: `.invalidArgument` for an empty token, `.wrongState` without a channel.
  public func renewToken(_ token: String) throws(ChannelError) {
    try checkNotDestroyed()
    try RtcConnection.check(token: token)
    try requireConnection().renewToken(token, completion: nil)
  }

  /// Replaces the token, and waits for the relay's answer.
  ///
  /// - Throws: As the form that does not wait; the relay's refusal, or `.notReady` if the channel ends before.
  public func renewToken(_ token: String) async throws(ChannelError) {
    try checkNotDestroyed()
    try RtcConnection.check(token: token)
    try await requireConnection().renewToken(token)
  }

  /// Changes options of the channel; nil values stay. The delegate gets the relay's answer.
  ///
  /// - Throws: `.wrongState` without a channel, `.invalidArgument` for an option that only a join has.
  public func updateChannelOptions(_ options: ChannelMediaOptions) throws(ChannelError) {
    try requireConnection().update(options, completion: nil)
  }

  /// Changes options of the channel, and waits for the relay's answer.
  ///
  /// - Throws: As the form that does not wait; the relay's refusal, or `.notReady` if the channel ends before.
  public func updateChannelOptions(_ options: ChannelMediaOptions) async throws(ChannelError) {
    try await requireConnection().update(options)
  }

  /// Returns the names of a user of the main channel with an account.
  ///
  /// - Throws: `.wrongState` without a channel, `.invalidArgument` if no such user is known.
  public func userInfo(uid: UInt32) throws(ChannelError) -> UserInfo { try requireConnection().userInfo(uid: uid) }

  /// Returns the names of the user of the main channel with an account.
  ///
  /// - Throws: `.wrongState` without a channel, `.invalidArgument` if no such user is known.
  public func userInfo(userAccount: String) throws(ChannelError) -> UserInfo {
    try requireConnection().userInfo(userAccount: userAccount)
  }

  /// Returns the reasons why a user, or any user, is not heard: those of this engine, and those that the relay knows.
  ///
  /// - Throws: `.notReady` if the relay is lost before its answer, or the relay's refusal.
  public func diagnose(_ uid: UInt32? = nil) async throws(ChannelError) -> [DiagnosisFinding] {
    try checkNotDestroyed()
    guard let connection else {
      return [DiagnosisFinding(uid: uid ?? 0, cause: .notJoined, sentence: "no channel is joined; join one first")]
    }
    return try await connection.diagnose(uid)
  }

  /// Checks that the engine has not ended.
  func checkNotDestroyed() throws(ChannelError) { if loop.isStopped { throw .destroyed } }

  /// Passes a mute on to the main channel. Without one it waits for the next join.
  func passOn(
    _ completion: (@Sendable (Result<Void, ChannelError>) -> Void)?, _ mute: (RtcConnection) -> Void
  ) {
    if loop.isStopped {
      completion?(.failure(.destroyed))
    } else if let connection, connection.isActive || connection.state == .failed {
      mute(connection)
    } else if let completion {
      delivery.post { completion(.success(())) }
    }
  }

  private func requireConnection() throws(ChannelError) -> RtcConnection {
    try checkNotDestroyed()
    guard let connection else {
      throw ChannelError(.wrongState, "no channel is joined; join one first")
    }
    return connection
  }
}
