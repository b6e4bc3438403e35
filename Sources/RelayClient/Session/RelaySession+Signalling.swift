package import NetworkIO
import Signalling

/// Messages of a session.
extension RelaySession {
  /// Notes that the WebSocket is open.
  package func signallingOpened(nowNanoseconds now: Int) {
    guard phase == .opening else { return }
    phase = .greeting
    greet(now)
  }

  /// Notes that the WebSocket could not be opened. A fault that no repetition heals ends the first joins.
  package func signallingFailed(_ error: WebSocketError, nowNanoseconds now: Int) {
    let failure = ChannelError(.general, error.description, cause: error.isPermanent ? .other : .unreached)
    self.failure = failure
    if phase == .opening, error.isPermanent, holding.openDeadline != .max { endHold(failure) }
    if phase == .opening, error.isPermanent {
      for preload in preloads where !preload.hasConnected { preload.end(failure, now) }
    }
    for membership in memberships {
      membership.failure = failure
      if phase == .opening, error.isPermanent, !membership.identity.hasJoined {
        membership.fail(.joinFailed, failure, now)
      }
    }
    signallingClosed(nowNanoseconds: now)
  }

  /// Notes that the WebSocket has ended.
  package func signallingClosed(nowNanoseconds now: Int) {
    switch phase {
    case .idle, .waiting: break
    case .opening, .greeting: retry(now)
    case .open: replace(now)
    }
  }

  /// Takes a text message of the relay. A message that cannot be read is counted and ignored.
  package func receive(_ text: String, nowNanoseconds now: Int) {
    guard isConnected else { return }
    times.unanswered = nil
    holding.heardNanoseconds = now
    let message: RelayMessage?
    do throws(MessageError) { message = try RelayMessage(reading: text) } catch {
      unreadableMessageCount += 1
      return
    }
    switch message {
    case .welcome(let answer): take(answer, now)
    case .joined(let answer): membership(of: answer.channel)?.take(answer, now)
    case .updated(let answer): membership(of: answer.channel)?.take(answer)
    case .left(let answer):
      abandoned[answer.channel] = nil
      membership(of: answer.channel)?.takeLeft(now)
    case .diagnosis(let answer): membership(of: answer.channel)?.take(answer)
    case .tokenRenewed(let answer): if !take(answer) { membership(ofRequest: answer.id)?.take(answer) }
    case .delivered(let answer): takeAnswer(answer.id, .delivered(sessionCount: Int(answer.sessions)))
    case .noSuchUser(let answer): takeAnswer(answer.id, .noSuchUser)
    case .message(let event): emit(.message(from: event.from, body: event.body))
    case .userJoined(let event): membership(of: event.channel)?.take(event, now)
    case .userLeft(let event): membership(of: event.channel)?.take(event)
    case .userUpdated(let event): membership(of: event.channel)?.take(event)
    case .speakers(let event): membership(of: event.channel)?.take(event)
    case .dataUpdated(let event): membership(of: event.channel)?.take(event)
    case .tokenWillExpire(let event):
      for membership in memberships
      where event.channel == nil ? membership.usesSessionToken : event.channel == membership.channel {
        membership.take(event)
      }
      if event.channel == nil, holdsToken { emit(.tokenWillExpire(milliseconds: Int(event.milliseconds))) }
    case .moveTo(let event): move(event, now)
    case .failed(let report): take(report, now)
    case .presence(let answer): take(answer)
    case .preloaded(let answer): for preload in preloads { preload.take(answer, now) }
    case .mediaRelayed(let answer): membership(of: answer.channel)?.take(answer)
    case .mediaRelayEnded(let event): membership(of: event.channel)?.take(event)
    case .pong, nil: break
    }
  }

  // MARK: Private

  /// Opens the session. Any valid token does: that of the newest `hello`, while it has a use.
  private func greet(_ now: Int) {
    times.step = now + ChannelTimes.signallingStep
    attempt = makeID()
    let usable =
      [holding.credential].compactMap(\.self) + memberships.map(\.options.credential)
      + preloads.map(\.credential)
    guard let first = usable.first else { return }
    let chosen = usable.first { $0 == credential } ?? first
    credential = chosen
    send(
      .hello(
        HelloRequest(
          id: attempt, credential: chosen, user: options.user, resume: resume,
          info: memberships.first { $0.options.credential == chosen }?.options.info, software: options.software)), now)
    // The joins do not wait for the answer, which saves a round trip. Behind a refused `hello` they are refused, too.
    startJoins(now)
  }

  private func take(_ answer: WelcomeAnswer, _ now: Int) {
    guard phase == .greeting, answer.id == attempt else { return }
    resume = answer.resume
    // Half of the limit leaves time for the ping's path.
    times.keepAlive =
      answer.keepAliveMilliseconds == 0 ? .max : Int(min(answer.keepAliveMilliseconds, 86_400_000)) * 500_000
    phase = .open
    if let limit = answer.limits.first(where: { $0.name == "requests-per-second" })?.value {
      let usable = Int(min(max(limit, 4), 1_000_000))
      setPace(perSecond: usable / 2, burst: usable / 4)
    }
    accountUID = answer.uid
    holding.openDeadline = .max
    failure = nil
    // The relay no longer has the session: behind such a silence it has dropped the user.
    if !answer.resumed {
      for membership in memberships where now - membership.times.heard >= membership.times.drop {
        membership.noteDrop()
      }
    }
    emit(.opened(isResumed: answer.resumed, uid: answer.uid))
    for channel in abandoned.keys.sorted(by: { $0.text < $1.text }) { abandon(channel, now) }
    startJoins(now)
  }

  private func take(_ report: FailureReport, _ now: Int) {
    if phase == .greeting, report.id == attempt { return takeRefusedHello(report, now) }
    if let channel = report.channel, let id = report.id, abandoned[channel] == id {
      abandoned[channel] = nil
      return
    }
    guard !preloads.contains(where: { $0.takeRefusal(report, now) }) else { return }
    if let membership = report.channel.map(membership(of:)) ?? report.id.flatMap(membership(ofRequest:)) {
      return membership.take(report, now)
    }
    guard report.channel == nil else { return }
    if let id = report.id, takeRefusal(of: id, ChannelError(report)) { return }
    switch report.reason {
    case nil: break
    case _ where report.isOfLoss:
      for membership in memberships { membership.noteDrop(report) }
      replace(now)
    // The tokens of other memberships may still be valid, and open the session again.
    case .tokenExpired, .invalidToken:
      for preload in preloads where preload.credential == credential { preload.end(ChannelError(report), now) }
      for membership in memberships where membership.usesSessionToken { membership.take(report, now) }
      if holdsToken { endHold(ChannelError(report)) }
      if isConnected { reopen(now) }
    default:
      for preload in preloads { preload.end(ChannelError(report), now) }
      for membership in memberships { membership.take(report, now) }
      endHold(ChannelError(report))
    }
  }

  /// Takes a refusal of the session. A refused token ends the memberships that have it, and the next one is tried.
  private func takeRefusedHello(_ report: FailureReport, _ now: Int) {
    guard !report.isOfLoss else {
      for membership in memberships { membership.noteDrop(report) }
      return retry(now)
    }
    // A membership may return to an earlier token of the session here.
    let refused = credential
    let concernsToken: Bool
    switch report.reason {
    case .tokenExpired, .invalidToken, .invalidAppID, .invalidChannel: concernsToken = true
    default: concernsToken = false
    }
    let endsHold = !concernsToken || holdsToken
    for membership in memberships where !concernsToken || membership.options.credential == refused {
      membership.takeRefusal(report, now)
    }
    for preload in preloads where !report.cause.isTemporary && (!concernsToken || preload.credential == refused) {
      preload.end(ChannelError(report), now)
    }
    for membership in memberships { membership.interrupt(now) }
    for preload in preloads { preload.interrupt(now) }
    if endsHold { endHold(ChannelError(report)) }
    guard phase == .greeting else { return }
    if report.cause.isTemporary { retry(now) } else { greet(now) }
  }

  /// Continues at another relay. Only addresses with the scheme of the present one count: the token must stay
  /// encrypted.
  private func move(_ event: MoveEvent, _ now: Int) {
    let scheme = options.relay.prefix { $0 != ":" }
    let usable = event.relays.filter { $0.hasPrefix("\(scheme)://") }
    guard !usable.isEmpty, phase == .open else { return }
    relays = RelayChoice(usable)
    reopen(now)
  }

  private func membership(of channel: ChannelName) -> ChannelMembership? {
    memberships.first { $0.channel == channel }
  }

  private func membership(ofRequest id: UInt32) -> ChannelMembership? { memberships.first { $0.hasRequest(id) } }
}

extension FailureReport {
  /// Whether the relay has forgotten the session or the membership, and another join brings it back.
  var isOfLoss: Bool {
    switch reason {
    case .interrupted, .clientAddressChanged, .keepAliveTimeout: true
    default: false
    }
  }
}

extension WebSocketError {
  /// Whether another attempt would fail in the same way.
  fileprivate var isPermanent: Bool {
    switch reason {
    case .url, .token, .certificate, .certificateFile, .subprotocol: true
    default: false
    }
  }
}
