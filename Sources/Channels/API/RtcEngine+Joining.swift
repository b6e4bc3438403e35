import Engine
import Platform
import Signalling
import WebRTC

/// Joins, of the main channel and of others.
extension RtcEngine {
  /// Starts the main channel.
  func startMain(
    _ channel: String, _ token: String, _ user: RtcUser, _ options: ChannelMediaOptions, timeout: Duration?,
    hidesJoin: Bool, _ completion: (@Sendable (Result<JoinedChannel, ChannelError>) -> Void)?
  ) throws(ChannelError) {
    try checkNotDestroyed()
    try checkNoEchoTest()
    let (old, mutes, delegate) = state.withLock { ($0.main, $0.mutes, $0.delegate) }
    if let old, old.isActive {
      throw ChannelError(.alreadyInChannel, "the channel '\(old.channel)' is joined; leave it first")
    }
    let others = state.withLock { $0.others.filter(\.isActive) }
    guard !others.contains(where: { $0.channel == channel && $0.isUser(user) }) else {
      throw ChannelError(.alreadyInChannel, "this user is in the channel '\(channel)' already; leave it first")
    }
    old?.discard()
    var options = options
    state.withLock { state in
      options.profile = options.profile ?? state.profile
      state.role.complete(&options)
    }
    var settings = options.makeSettings()
    settings.isMuted = mutes.isMuted
    addLocalSound(to: &settings)
    settings.mutedUsers = mutes.mutedUsers
    settings.isEveryoneMuted = mutes.isEveryoneMuted
    (settings.allowedUsers, settings.blockedUsers) = (mutes.allowedUsers, mutes.blockedUsers)
    endRecordings()
    pipeline.setMainChannel(channel)
    let connection = try start(
      channel, token, user, options, settings, delegate, with: self.options, timeout: timeout,
      hidesJoin: hidesJoin, completion)
    state.withLock { $0.main = connection }
    settleLocalSound()
  }

  /// Starts a connection.
  func start(
    _ channel: String, _ token: String, _ user: RtcUser, _ media: ChannelMediaOptions, _ settings: ChannelSettings,
    _ delegate: (any RtcEngineDelegate)?, with options: RtcEngineOptions, timeout: Duration? = nil,
    hidesJoin: Bool = false, isSilent: Bool = false,
    _ completion: (@Sendable (Result<JoinedChannel, ChannelError>) -> Void)? = nil
  ) throws(ChannelError) -> RtcConnection {
    do throws(ChannelError) {
      return try make(
        channel, token, user, media, settings, delegate, with: options, timeout: timeout, hidesJoin: hidesJoin,
        isSilent: isSilent, completion)
    } catch {
      if error.code == .notReady { reportNoBegin(to: delegate) }
      throw error
    }
  }

  private func make(
    _ channel: String, _ token: String, _ user: RtcUser, _ media: ChannelMediaOptions, _ settings: ChannelSettings,
    _ delegate: (any RtcEngineDelegate)?, with options: RtcEngineOptions, timeout: Duration?, hidesJoin: Bool,
    isSilent: Bool, _ completion: (@Sendable (Result<JoinedChannel, ChannelError>) -> Void)?
  ) throws(ChannelError) -> RtcConnection {
    guard let name = ChannelName(channel) else {
      throw ChannelError(.channelName, "a channel's name has \(ChannelName.rule); \(ChannelName.fault(in: channel))")
    }
    let identity = try user.identity()
    if (media.profile ?? .live).hasRoles { try media.checkLatencyLevel(present: .audience) }
    try startPipeline()
    let wanted = ChannelMembershipOptions(
      credential: credential(token), channel: name, user: identity, profile: media.profile ?? .live,
      settings: settings, takesData: true, takesSpeakers: true, info: media.info,
      joinLimitNanoseconds: timeout.map(\.clampedNanoseconds))
    let connection = RtcConnection(
      channel: channel, user: user, token: token, self, delegate, loop: loop, delivery: delivery,
      onEvent: options.onEvent, isSilent: isSilent)
    connection.setJoinHandler(hidesJoin: hidesJoin, completion)
    let (pipeline, environment) = (pipeline, options.environment)
    let key = SessionKey(user: identity, hasToken: !token.isEmpty)
    let number = try loop.add(name, key) {
      makeSession(key)
    } makeChannel: { session throws(ChannelError) in
      let preload = session.lendPreload(for: wanted, loop.clock.nowNanoseconds)
      let membership = ChannelMembership(
        wanted, in: session.session, certificate: environment.makeCertificate(), random: environment.makeRandom(name))
      let media = ChannelMedia(pipeline, channelID: channel, options, random: environment.makeRandom(name))
      let network: any MediaNetwork = if let preload { preload.network } else { try environment.makeMedia(name) }
      return ActiveChannel(
        membership, of: session, media, network, preload: preload, route: RouteWatch(environment.networkType)
      ) { connection.report($0) }
    }
    if !isSilent { openMicrophone() }
    connection.start(number)
    let isStarted: Void? = connection.use { channel, now in channel.start(now) }
    if isStarted == nil { connection.end(.destroyed) }
    return connection
  }

  private func startPipeline() throws(ChannelError) {
    let isDue = state.withLock { state in
      defer { state.isStarted = true }
      return state.ownsPipeline && !state.isStarted
    }
    guard isDue else { return }
    do throws(EngineError) { try pipeline.start(clock: options.clock) } catch {
      state.withLock { $0.isStarted = false }
      throw ChannelError(.notReady, error.message)
    }
  }
}

extension RtcConnection {
  /// Whether a name is the local user's.
  func isUser(_ other: RtcUser) -> Bool { user == other || uid.map { other == .uid($0) } == true }
}
