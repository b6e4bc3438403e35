import Platform
import Signalling

/// Sessions at the relay, with and without channels.
extension RtcEngine {
  /// Opens a session without a channel, and waits until it is open. The user is online until `RtcSession.close`.
  ///
  /// - Parameters:
  ///   - token: Token for any channel (`*`); empty at a relay that allows the app id alone.
  ///   - user: The user of the token. Channels that name it the same way share the session.
  ///   - timeout: Longest time until the session is open; nil: 20 minutes, as after a loss.
  /// - Throws: `.alreadyInChannel` for a session that is open, `.user`, the relay's refusal, or `.general` with the
  ///   reason why the relay was not reached.
  public func openSession(
    token: String, user: RtcUser, timeout: Duration? = .seconds(10)
  ) async throws(ChannelError) -> RtcSession {
    try await waitForResult { done throws(ChannelError) in
      try openSession(token: token, user: user, timeout: timeout, completion: done)
    }
  }

  /// Opens a session without a channel, and calls a closure once it is open, or has failed.
  ///
  /// - Throws: As the form that waits, for faults of the call itself.
  package func openSession(
    token: String, user: RtcUser, timeout: Duration? = .seconds(10),
    completion: @escaping @Sendable (Result<RtcSession, ChannelError>) -> Void
  ) throws(ChannelError) {
    try checkNotDestroyed()
    let identity = try user.identity()
    let key = SessionKey(user: identity, hasToken: !token.isEmpty)
    let new = RtcSession(user, key, self)
    let isKnown = state.withLock { state in
      state.sessions.removeAll { $0.isClosed }
      guard !state.sessions.contains(where: { $0.key == key }) else { return true }
      state.sessions.append(new)
      return false
    }
    guard !isKnown else {
      throw ChannelError(.alreadyInChannel, "the session of user \(user) is open; close it first")
    }
    let forget: @Sendable () -> Void = { [weak self] in
      new.close()
      self?.state.withLock { state in state.sessions.removeAll { $0 === new } }
    }
    do throws(ChannelError) {
      try new.open(credential(token), limitNanoseconds: timeout.map(\.clampedNanoseconds)) { result in
        if case .failure = result { forget() }
        completion(result.map { new })
      }
    } catch {
      forget()
      throw error
    }
  }

  /// Makes the uid of an account known before a join; `didLocalUserRegistered` has it, and `didApiCallExecute` a failed
  /// registration with a token, at most 10 s later.
  ///
  /// - Parameters:
  ///   - account: Account of the local user.
  ///   - token: Token of the account for any channel. Without one the first session of the account has the answer.
  /// - Throws: `.user` for an account with another length or character.
  public func registerLocalUserAccount(_ account: String, token: String? = nil) throws(ChannelError) {
    try checkNotDestroyed()
    let user = RtcUser.account(account)
    let key = SessionKey(user: try user.identity(), hasToken: token != nil)
    state.withLock { _ = $0.registered.insert(account) }
    guard let token else {
      // A session of the account may have the answer already.
      for hasToken in [false, true] {
        guard let uid = loop.accountUID(SessionKey(user: key.user, hasToken: hasToken)) else { continue }
        return noteRegistration(uid, of: key.user)
      }
      return
    }
    let known = try useSession(key) { active, now -> UInt32? in
      guard !active.session.isOpen, !active.session.isHeld else { return active.session.accountUID }
      active.session.hold(
        .token(SecretText(token)), limitNanoseconds: 10_000_000_000, nowNanoseconds: now)
      active.releasesWhenOpen = true
      return nil
    }
    if let known { noteRegistration(known, of: key.user) }
  }

  // MARK: Internal

  func credential(_ token: String) -> SessionCredential { token.isEmpty ? .app(appID) : .token(SecretText(token)) }

  /// Uses the session of a user, which begins here if there is none.
  func useSession<Value>(
    _ key: SessionKey, _ body: (ActiveSession, _ nowNanoseconds: Int) -> Value
  ) throws(ChannelError) -> Value {
    try loop.useSession(key, makeSession: { makeSession(key) }, body)
  }

  /// Makes a session without a connection.
  func makeSession(_ key: SessionKey) -> ActiveSession {
    let environment = options.environment
    let user: UserIdentity? = key.user == .uid(0) ? nil : key.user
    return ActiveSession(
      RelaySession(
        RelaySessionOptions(relay: relay, user: user, software: "audiopipe"), random: environment.makeRandom(nil)),
      environment.makeSignalling(options.verification)
    ) { [weak self] event in self?.take(event, of: key) }
  }

  /// Takes an event of a session. Thread: under the lock of the loop.
  private func take(_ event: SessionEvent, of key: SessionKey) {
    let session = state.withLock { state in state.sessions.first { $0.key == key && !$0.isClosed } }
    session?.report(event)
    switch event {
    case .message(let sender, let body):
      let user = RtcUser(sender)
      post { delegate, engine in delegate.rtcEngine(engine, didReceiveMessage: body, from: user) }
    case .opened(_, let uid?): noteRegistration(uid, of: key.user)
    case .closed(let error?): refuseRegistration(error, of: key.user)
    case .tokenRequested:
      refuseRegistration(ChannelError(.tokenExpired, "the token has expired; register with another"), of: key.user)
    default: break
    }
    // The engine must not end here, if nobody else has it any more: its end needs the lock.
    delivery.post { [self] in withExtendedLifetime(self) {} }
  }

  private func refuseRegistration(_ error: ChannelError, of user: UserIdentity) {
    guard case .account(let account) = user,
      state.withLock({ $0.registered.remove(account.text) }) != nil
    else { return }
    post { $0.deliver(.registerLocalUserAccount, .failure(error), $1) }
  }

  private func noteRegistration(_ uid: UInt32, of user: UserIdentity) {
    guard case .account(let account) = user,
      state.withLock({ $0.registered.remove(account.text) }) != nil
    else { return }
    post { delegate, engine in
      delegate.rtcEngine(engine, didLocalUserRegistered: uid, userAccount: account.text)
    }
  }
}
