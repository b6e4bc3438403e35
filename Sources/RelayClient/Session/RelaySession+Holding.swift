package import Signalling

/// A session that the program holds without a channel, and its messages.
extension RelaySession {
  /// Opens the session, and holds it until `release`.
  ///
  /// - Parameters:
  ///   - credential: Token for any channel, or the app's id.
  ///   - limit: Longest time until the session is open; nil: 20 minutes, as after a loss.
  ///   - replaces: Whether the session may be held already, with another credential.
  package func hold(
    _ credential: SessionCredential, limitNanoseconds limit: Int? = nil, replaces: Bool = false,
    nowNanoseconds now: Int
  ) {
    guard holding.credential == nil || replaces else { return }
    holding.credential = credential
    holding.isAwaitingToken = false
    holding.heardNanoseconds = now
    holding.openDeadline = phase == .open ? .max : limit.map { now + $0 } ?? .max
    guard phase == .open else { return begin(now) }
    emit(.opened(isResumed: false, uid: accountUID))
    guard credential != self.credential else { return }
    // The present token is a channel's, and may end with it.
    for membership in memberships where membership.usesSessionToken { membership.keepToken(now) }
    replaceToken(with: credential, now)
  }

  /// Lets the session close behind its last channel.
  package func release(nowNanoseconds now: Int) {
    guard holding.credential != nil || holding.isAwaitingToken else { return }
    holding.credential = nil
    holding.isAwaitingToken = false
    endIfUnused()
    emit(.closed(nil))
  }

  /// Replaces the token of a session that the program holds. After its expiry this opens the session again.
  ///
  /// - Returns: Id of the request; nil if the next connection has the token.
  @discardableResult
  package func renew(_ token: SecretText, nowNanoseconds now: Int) -> UInt32? {
    guard !holding.isAwaitingToken else {
      hold(.token(token), nowNanoseconds: now)
      return nil
    }
    guard holding.credential != nil else { return nil }
    holding.credential = .token(token)
    return phase == .open ? replaceToken(with: .token(token), now) : nil
  }

  /// Sends a message to all connected sessions of a user of the app.
  ///
  /// - Returns: Id of the request; nil without a connection.
  package func send(_ body: String, to user: UserIdentity, nowNanoseconds now: Int) -> UInt32? {
    guard phase == .open else { return nil }
    let id = makeID()
    requests[id] = .message(untilNanoseconds: now + ChannelTimes.answer)
    sendPaced(.message(MessageRequest(id: id, to: user, body: body)), now)
    return id
  }

  /// Requests whether a user of the app has a connected session.
  ///
  /// - Returns: Id of the request; nil without a connection.
  package func requestPresence(of user: UserIdentity, nowNanoseconds now: Int) -> UInt32? {
    guard phase == .open else { return nil }
    let id = makeID()
    requests[id] = .presence(untilNanoseconds: now + ChannelTimes.request)
    sendPaced(.presence(PresenceRequest(id: id, user: user)), now)
    return id
  }

  // MARK: Internal

  /// Whether the relay knows the session by the token with which the program holds it.
  var holdsToken: Bool { holding.credential != nil && credential == holding.credential }

  /// Time at which a session that is held gives up; `Int.max` for another one.
  var patienceDeadline: Int {
    holding.credential == nil ? .max : min(holding.openDeadline, holding.heardNanoseconds + ChannelTimes.patience)
  }

  func noteSilence(_ now: Int) {
    guard now >= patienceDeadline else { return }
    let isFirst = now >= holding.openDeadline
    endHold(
      isFirst
        ? failure ?? delayOfStep
        : ChannelError(
          .general, "the relay was not reached for 20 minutes; check the network and open the session again",
          cause: .unreached))
  }

  /// Time at which the wait for the first request ends; `Int.max` without one.
  var requestDeadline: Int { requests.values.reduce(.max) { min($0, $1.expiryNanoseconds) } }

  /// Refuses the requests that the relay has not answered in time: an older one does not know them.
  func expireRequests(_ now: Int) {
    for (id, request) in requests.sorted(by: { $0.key < $1.key }) where request.expiryNanoseconds <= now {
      requests[id] = nil
      if removeHeld(id) {
        emit(
          .refused(
            request: id,
            ChannelError(
              .refused, "the session has sent too many requests to send this one; send fewer in a second",
              cause: .limit)))
      } else if case .message = request {
        emit(.messageAnswered(request: id, .unknown))
      } else {
        emit(
          .refused(
            request: id,
            ChannelError(.general, "the relay has not answered within 5 s; request it again", cause: .unreached)))
      }
    }
  }

  /// Takes the end of a session that is held: a new token continues one that has expired.
  func endHold(_ error: ChannelError) {
    guard holding.credential != nil else { return }
    holding.credential = nil
    holding.isAwaitingToken = error.code == .tokenExpired
    endIfUnused()
    emit(holding.isAwaitingToken ? .tokenRequested : .closed(error))
  }

  /// Takes the outcome of a message.
  func takeAnswer(_ id: UInt32, _ outcome: MessageOutcome) {
    if requests.removeValue(forKey: id) != nil { emit(.messageAnswered(request: id, outcome)) }
  }

  func take(_ answer: PresenceAnswer) {
    if requests.removeValue(forKey: answer.id) != nil {
      emit(.presenceAnswered(request: answer.id, isOnline: answer.online))
    }
  }

  /// - Returns: Whether the answer is for the session.
  func take(_ answer: RenewedAnswer) -> Bool {
    guard requests.removeValue(forKey: answer.id) != nil else { return false }
    guard holdsToken else { return true }
    emit(.granted(request: answer.id))
    emit(.tokenRenewed(milliseconds: Int(answer.milliseconds)))
    return true
  }

  /// - Returns: Whether the refused request is the session's.
  func takeRefusal(of id: UInt32, _ error: ChannelError) -> Bool {
    guard let request = requests.removeValue(forKey: id) else { return false }
    if case .renewal(let old) = request {
      let isHolds = holdsToken
      for membership in memberships where membership.usesSessionToken { membership.options.credential = old }
      if isHolds { holding.credential = old }
      credential = old
      guard isHolds else { return true }
    }
    emit(.refused(request: id, error))
    return true
  }

  /// Replaces the session's token, if nobody has that any more.
  func replaceUnusedToken(with wanted: SessionCredential, _ now: Int) {
    let isUsed =
      holding.credential == credential || memberships.contains(where: \.usesSessionToken)
      || preloads.contains { $0.credential == credential }
    if phase == .open, !isUsed { replaceToken(with: wanted, now) }
  }

  /// Requests another token for the session.
  @discardableResult
  private func replaceToken(with wanted: SessionCredential, _ now: Int) -> UInt32? {
    guard case .token(let token) = wanted, let former = credential else { return nil }
    // The relay moves them, too.
    for membership in memberships where membership.usesSessionToken { membership.options.credential = wanted }
    credential = wanted
    let id = makeID()
    requests[id] = .renewal(old: former)
    send(.renewToken(RenewalRequest(id: id, token: token)), now)
    return id
  }
}
