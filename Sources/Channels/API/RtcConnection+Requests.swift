import Platform
public import Signalling

/// Calls that the relay answers. Each reports its outcome to its closure, and to `didApiCallExecute` of the delegate.
extension RtcConnection {
  /// Replaces the token. After its expiry the user joins again. The delegate gets the relay's answer.
  ///
  /// - Throws: `.invalidArgument` for an empty token, `.wrongState` without a channel.
  public func renewToken(_ token: String) throws(ChannelError) { try renewToken(token, completion: nil) }

  /// Replaces the token, and calls a closure with the relay's answer.
  ///
  /// - Throws: `.invalidArgument` for an empty token, `.wrongState` without a channel.
  public func renewToken(
    _ token: String, completion: (@Sendable (Result<Void, ChannelError>) -> Void)?
  ) throws(ChannelError) {
    try renew(token, for: .renewToken, completion)
  }

  /// Replaces the token, and waits for the relay's answer.
  ///
  /// - Throws: `.invalidArgument` for an empty token, the relay's refusal, or `.notReady` if the channel ends before.
  public func renewToken(_ token: String) async throws(ChannelError) {
    try await waitForResult { completion throws(ChannelError) in try renewToken(token, completion: completion) }
  }

  /// Changes options; nil values stay. The delegate gets the relay's answer.
  ///
  /// - Throws: `.wrongState` without a channel, `.invalidArgument` for an option that only a join has.
  public func update(_ options: ChannelMediaOptions) throws(ChannelError) { try update(options, completion: nil) }

  /// Changes options, and calls a closure with the relay's answer. A refusal takes all of the options back; a refused
  /// token leaves the others.
  ///
  /// - Throws: As the form without a closure.
  public func update(
    _ options: ChannelMediaOptions, completion: (@Sendable (Result<Void, ChannelError>) -> Void)?
  ) throws(ChannelError) {
    try update(options, for: .updateChannelOptions, completion)
  }

  /// Changes options, and waits for the relay's answer.
  ///
  /// - Throws: As the form with a closure; the relay's refusal, or `.notReady` if the channel ends before.
  public func update(_ options: ChannelMediaOptions) async throws(ChannelError) {
    try await waitForResult { completion throws(ChannelError) in try update(options, completion: completion) }
  }

  /// Changes the role or its options; nil options stay. The delegate gets the relay's answer.
  ///
  /// - Throws: As `update`, and `.refused` for a latency level that does not fit the role.
  public func setClientRole(_ role: ClientRole, options: ClientRoleOptions? = nil) throws(ChannelError) {
    try setClientRole(role, options: options, completion: nil)
  }

  /// Changes the role or its options, and calls a closure with the relay's answer. A refusal keeps role and
  /// options.
  ///
  /// - Throws: As the form without a closure.
  public func setClientRole(
    _ role: ClientRole, options: ClientRoleOptions? = nil,
    completion: (@Sendable (Result<Void, ChannelError>) -> Void)?
  ) throws(ChannelError) {
    try update(
      ChannelMediaOptions(role: role, audienceLatencyLevel: options?.audienceLatencyLevel), for: .setClientRole,
      completion)
  }

  /// Changes the role or its options, and waits for the relay's answer.
  ///
  /// - Throws: As the form without a closure.
  public func setClientRole(_ role: ClientRole, options: ClientRoleOptions? = nil) async throws(ChannelError) {
    try await waitForResult { completion throws(ChannelError) in
      try setClientRole(role, options: options, completion: completion)
    }
  }

  // MARK: Internal

  /// Changes settings for a call.
  func change(
    _ call: ApiCall, _ completion: (@Sendable (Result<Void, ChannelError>) -> Void)? = nil,
    _ body: (inout ChannelSettings) -> Void
  ) {
    let isKnown: Void? = use { channel, now in
      var settings = channel.membership.settings
      body(&settings)
      let id = channel.membership.update(settings, nowNanoseconds: now)
      expect(id, PendingCall(call, completion))
      channel.applySettings()
    }
    guard isKnown != nil else {
      completion?(.failure(notJoined))
      return
    }
    engine?.applyLocalSound()
  }

  /// Error of a call without a channel.
  var notJoined: ChannelError {
    loop.isStopped
      ? .destroyed
      : ChannelError(.wrongState, "the channel '\(channel)' is not joined; join it first")
  }

  /// Refuses an empty token.
  static func check(token: String) throws(ChannelError) {
    guard token.isEmpty else { return }
    throw ChannelError(.invalidArgument, "a token is not empty; request one of the app's server")
  }

  // MARK: Private

  private func renew(
    _ token: String, for call: ApiCall, _ completion: (@Sendable (Result<Void, ChannelError>) -> Void)?
  ) throws(ChannelError) {
    try Self.check(token: token)
    let isJoined = use { channel, now in
      guard channel.membership.isAwaitingToken || isActive else { return false }
      setToken(token)
      let id = channel.membership.renew(SecretText(token), nowNanoseconds: now)
      expect(id, PendingCall(call, completion))
      return true
    }
    guard isJoined == true else { throw notJoined }
  }

  private func update(
    _ options: ChannelMediaOptions, for call: ApiCall, _ completion: (@Sendable (Result<Void, ChannelError>) -> Void)?
  ) throws(ChannelError) {
    guard isActive else { throw notJoined }
    guard options.profile == nil, options.info == nil else {
      throw ChannelError(
        .invalidArgument,
        "the audio profile and the user's info are set by the join and cannot be changed; leave the channel, and join with them"
      )
    }
    let (role, hasRoles) =
      use { channel, _ in
        (channel.membership.settings.role, channel.membership.profile.hasRoles)
      } ?? (.audience, true)
    if hasRoles { try options.checkLatencyLevel(present: role) }
    guard let token = options.token else {
      return change(call, completion) { options.apply(to: &$0, hasRoles: hasRoles) }
    }
    // Two requests, one outcome.
    let both = CallGroup(count: 2) { completion?($0) }
    try renew(token, for: .renewToken) { both.take($0) }
    change(call, { both.take($0) }) { options.apply(to: &$0, hasRoles: hasRoles) }
  }
}
