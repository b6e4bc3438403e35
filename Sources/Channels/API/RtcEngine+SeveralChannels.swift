import Platform
import Signalling

/// Further channels beside the main one.
extension RtcEngine {
  /// Joins a further channel, or the same one as another user. The channel has a delegate of its own.
  ///
  /// - Parameters:
  ///   - channel: Name of the channel, 1 to 64 bytes.
  ///   - token: Token of the app's server; empty at a relay that allows the app id alone.
  ///   - user: Name of the local user.
  ///   - options: Options of the channel.
  ///   - delegate: Receives the events of this channel; the engine does not retain it.
  ///   - completion: Called once the channel is joined, or has failed. With a closure the delegate gets no
  ///     `didJoinChannel`.
  /// - Returns: The channel, for all further calls; it is not joined yet.
  /// - Throws: `.alreadyInChannel` for a channel and a user that are there already; otherwise as `join`.
  public func joinEx(
    channel: String, token: String, user: RtcUser, options: ChannelMediaOptions = ChannelMediaOptions(),
    delegate: (any RtcEngineDelegate)? = nil,
    completion: (@Sendable (Result<JoinedChannel, ChannelError>) -> Void)? = nil
  ) throws(ChannelError) -> RtcConnection {
    try joinEx(
      channel: channel, token: token, user: user, options: options, delegate: delegate, isSilent: false, completion)
  }

  /// Joins a further channel.
  ///
  /// - Parameter isSilent: Whether nothing is sent or heard, and the microphone stays closed for this channel.
  func joinEx(
    channel: String, token: String, user: RtcUser, options: ChannelMediaOptions,
    delegate: (any RtcEngineDelegate)?, isSilent: Bool,
    _ completion: (@Sendable (Result<JoinedChannel, ChannelError>) -> Void)?
  ) throws(ChannelError) -> RtcConnection {
    try checkNotDestroyed()
    try checkNoEchoTest()
    let known = state.withLock { $0.joined.filter(\.isActive) }
    guard !known.contains(where: { $0.channel == channel && $0.isUser(user) }) else {
      throw ChannelError(.alreadyInChannel, "this user is in the channel '\(channel)' already; leave it first")
    }
    var options = options
    options.profile = options.profile ?? state.withLock { $0.profile }
    var settings = options.makeSettings()
    addLocalSound(to: &settings)
    if isSilent { (settings.isMuted, settings.isEveryoneMuted) = (true, true) }
    let connection = try start(
      channel, token, user, options, settings, delegate, with: self.options,
      hidesJoin: completion != nil, isSilent: isSilent, completion)
    state.withLock { state in
      state.others.removeAll { !$0.isActive }
      state.others.append(connection)
    }
    settleLocalSound()
    return connection
  }
}
