import Platform
public import Signalling

/// Profile and role of the main channel. Both may be set before the join, and outlive it.
extension RtcEngine {
  /// Sets the profile of channels that are joined later without one in their options; live at first.
  ///
  /// - Throws: `.wrongState` while the main channel is joined, or about to be.
  public func setChannelProfile(_ profile: ChannelProfile) throws(ChannelError) {
    try checkNotDestroyed()
    if let connection, connection.isActive {
      throw ChannelError(
        .wrongState, "the channel '\(connection.channel)' has its profile since the join; leave it first")
    }
    state.withLock { $0.profile = profile }
  }

  /// Changes the role or its options, now or for the next join; nil options stay. The delegate gets the relay's answer.
  ///
  /// - Throws: As `updateChannelOptions`, and `.refused` for a latency level that does not fit the role.
  public func setClientRole(_ role: ClientRole, options: ClientRoleOptions? = nil) throws(ChannelError) {
    try setClientRole(role, options: options, completion: nil)
  }

  /// Changes the role or its options, now or for the next join, and calls a closure with the relay's answer. A refusal
  /// keeps role and options.
  ///
  /// - Throws: As the form without a closure.
  public func setClientRole(
    _ role: ClientRole, options: ClientRoleOptions? = nil,
    completion: (@Sendable (Result<Void, ChannelError>) -> Void)?
  ) throws(ChannelError) {
    try checkNotDestroyed()
    let wanted = ChannelMediaOptions(role: role, audienceLatencyLevel: options?.audienceLatencyLevel)
    try wanted.checkLatencyLevel(present: role)
    let former = state.withLock { $0.role }
    guard let connection, connection.isActive else {
      state.withLock { $0.role.apply(wanted) }
      if role == .audience { reportAudience(former: former.role) }
      if let completion { delivery.post { completion(.success(())) } }
      return
    }
    state.withLock { $0.role.apply(wanted) }
    do throws(ChannelError) { try request(role, options, of: connection, former: former, completion) } catch {
      state.withLock { $0.role = former }
      throw error
    }
  }

  private func request(
    _ role: ClientRole, _ options: ClientRoleOptions?, of connection: RtcConnection, former: WantedRole,
    _ completion: (@Sendable (Result<Void, ChannelError>) -> Void)?
  ) throws(ChannelError) {
    try connection.setClientRole(role, options: options) { [weak self] result in
      if case .failure = result {
        self?.state.withLock { state in if state.role.role == role { state.role = former } }
      }
      completion?(result)
    }
  }

  /// Changes the role or its options, now or for the next join, and waits for the relay's answer.
  ///
  /// - Throws: As the form without a closure; the relay's refusal, or `.notReady` if the channel ends before.
  public func setClientRole(_ role: ClientRole, options: ClientRoleOptions? = nil) async throws(ChannelError) {
    try await waitForResult { completion throws(ChannelError) in
      try setClientRole(role, options: options, completion: completion)
    }
  }

  private func reportAudience(former: ClientRole) {
    let options = state.withLock { $0.role.options }
    post { delegate, engine in
      delegate.rtcEngine(engine, didClientRoleChanged: former, newRole: .audience, newOptions: options)
    }
  }
}
