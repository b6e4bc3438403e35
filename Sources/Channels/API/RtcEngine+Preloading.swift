import Platform
public import Signalling
import WebRTC

/// Channels that are connected ahead of a join.
///
/// A join with the same channel, user, token and profile then takes one round trip. In a profile with roles the join
/// must be of an audience. The 20 newest preloads of an engine stay, over leaves and losses, until their tokens expire.
/// Until the join nothing is captured or sent, and nobody hears of the user.
extension RtcEngine {
  /// Preloads a channel, and calls a closure once its transport is connected. A refused preload does not hinder a join.
  ///
  /// - Parameters:
  ///   - channel: Name of the channel, 1 to 64 bytes.
  ///   - token: Token of the join; empty at a relay that allows the app id alone.
  ///   - user: User of the join.
  ///   - profile: Profile of the channel.
  ///   - timeout: Longest time until the transport is connected; nil: 20 minutes, as after a loss.
  ///   - completion: Called once; nil: not called.
  /// - Throws: `.channelName`, `.invalidArgument` for an account that cannot be, `.notInitialised` behind `destroy`.
  public func preload(
    channel: String, token: String, user: RtcUser, profile: ChannelProfile = .live, timeout: Duration? = nil,
    completion: (@Sendable (Result<Void, ChannelError>) -> Void)?
  ) throws(ChannelError) {
    try checkNotDestroyed()
    guard let name = ChannelName(channel) else {
      throw ChannelError(.channelName, "a channel's name has \(ChannelName.rule); \(ChannelName.fault(in: channel))")
    }
    let identity: UserIdentity
    do throws(ChannelError) { identity = try user.identity() } catch {
      throw ChannelError(.invalidArgument, error.message)
    }
    let key = SessionKey(user: identity, hasToken: !token.isEmpty)
    let (credential, environment) = (credential(token), options.environment)
    try loop.addPreload(key) {
      makeSession(key)
    } make: { session, number throws(ChannelError) in
      let preload = ChannelPreload(
        credential, channel: name, user: identity, profile: profile,
        limitNanoseconds: timeout.map(\.clampedNanoseconds), in: session.session,
        certificate: environment.makeCertificate(), random: environment.makeRandom(name))
      let active = try ActivePreload(preload, number: number) { () throws(ChannelError) in
        try environment.makeMedia(name)
      } report: { [weak self] event in
        self?.take(event, of: number)
      }
      if let completion { state.withLock { $0.preloadCalls.add(number, completion) } }
      return active
    }
  }

  /// Preloads a channel, and waits until its transport is connected.
  ///
  /// - Throws: As the form that does not wait; the relay's refusal, or `.refused` if a newer preload ends this one.
  public func preload(
    channel: String, token: String, user: RtcUser, profile: ChannelProfile = .live, timeout: Duration? = .seconds(10)
  ) async throws(ChannelError) {
    try await waitForResult { (done: @escaping PreloadCalls.Completion) throws(ChannelError) in
      try preload(channel: channel, token: token, user: user, profile: profile, timeout: timeout, completion: done)
    }
  }

  /// Replaces the token of all preloads of a user that have one for any channel. A later join has the new token.
  ///
  /// - Parameter token: Token of a user for any channel.
  /// - Throws: `.invalidArgument` for another token, `.notInitialised` behind `destroy`.
  public func updatePreloadChannelToken(_ token: String) throws(ChannelError) {
    try checkNotDestroyed()
    guard let user = Self.userOfAnyChannel(token) else {
      throw ChannelError(
        .invalidArgument, "this is not a token of a user for any channel; sign one with the channel '*'")
    }
    try loop.usePreloads { preload, now in
      guard preload.user == user, case .token(let old) = preload.credential, Self.userOfAnyChannel(old.text) == user
      else {
        return
      }
      preload.renew(SecretText(token), nowNanoseconds: now)
    }
  }

  // MARK: Private

  /// User of a token for any channel; nil for another token.
  private static func userOfAnyChannel(_ token: String) -> UserIdentity? {
    guard let claims = try? TokenVerifier.unverifiedToken(in: token), claims.scope == .anyChannel,
      claims.user != .uid(0)
    else { return nil }
    return claims.user
  }

  /// Completes the call of a preload. Thread: under the lock of the loop.
  private func take(_ event: PreloadEvent, of number: Int) {
    let result: Result<Void, ChannelError> =
      switch event {
      case .ready: .success(())
      case .ended(let error):
        .failure(error ?? ChannelError(.refused, "a newer preload has taken the place of this one"))
      }
    // The engine must not end here, if nobody else has it any more: its end needs the lock.
    delivery.post { [self] in state.withLock { $0.preloadCalls.take(number) }?(result) }
  }
}
