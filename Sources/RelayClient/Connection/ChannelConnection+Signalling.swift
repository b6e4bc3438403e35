package import NetworkIO
import Signalling
import WebRTC

/// Messages of a connection.
extension ChannelConnection {
  /// Notes that the WebSocket is open.
  package func signallingOpened(nowNanoseconds now: Int) {
    guard phase == .opening else { return }
    phase = .greeting
    times.step = now + ChannelTimes.signallingStep
    requests.attempt = makeID()
    send(
      .hello(
        HelloRequest(
          id: requests.attempt, credential: options.credential, resume: identity.resume, info: options.info,
          software: options.software)), now)
  }

  /// Notes that the WebSocket could not be opened. A fault that no repetition heals ends the first join.
  package func signallingFailed(_ error: WebSocketError, nowNanoseconds now: Int) {
    let failure = ChannelError(.general, error.description)
    self.failure = failure
    if phase == .opening, !identity.hasJoined, error.isPermanent { return fail(.joinFailed, failure, now) }
    signallingClosed(nowNanoseconds: now)
  }

  /// Notes that the WebSocket has ended.
  package func signallingClosed(nowNanoseconds now: Int) {
    switch phase {
    case .idle, .waiting: break
    case .opening, .greeting, .joining, .connecting: retry(now)
    case .connected: rejoin(now)
    case .leaving: finishLeaving(nowNanoseconds: now)
    }
  }

  /// Takes a text message of the relay. A message that cannot be read is counted and ignored.
  package func receive(_ text: String, nowNanoseconds now: Int) {
    guard phase.hasSignalling else { return }
    times.unanswered = nil
    let message: RelayMessage?
    do throws(MessageError) { message = try RelayMessage(reading: text) } catch {
      unreadableMessageCount += 1
      return
    }
    guard phase != .leaving else {
      if case .left = message { finishLeaving(nowNanoseconds: now) }
      return
    }
    if phase == .connected { times.heard = max(times.heard, now) }
    switch message {
    case .welcome(let answer): take(answer, now)
    case .joined(let answer): take(answer, now)
    case .updated(let answer): take(answer)
    case .tokenRenewed(let answer): take(answer)
    case .diagnosis(let answer):
      guard requests.pending.removeValue(forKey: answer.id) != nil else { return }
      emit(.diagnosed(request: answer.id, answer.findings))
    case .failed(let report): take(report, now)
    case .userJoined(let event):
      guard event.channel == channel else { return }
      note(channelUsers.add(event.user, elapsedMilliseconds: elapsedMilliseconds(now)))
    case .userLeft(let event):
      guard event.channel == channel else { return }
      note(channelUsers.remove(event.uid, event.reason))
    case .userUpdated(let event):
      guard event.channel == channel else { return }
      note(channelUsers.update(event))
    case .tokenWillExpire(let event):
      guard event.channel == nil || event.channel == channel else { return }
      emit(.tokenWillExpire(milliseconds: Int(event.milliseconds)))
    case .moveTo(let event): move(event, now)
    case .left, .pong, .delivered, .noSuchUser, .message, nil: break
    }
  }

  // MARK: Answers

  private func take(_ answer: WelcomeAnswer, _ now: Int) {
    guard phase == .greeting, answer.id == requests.attempt else { return }
    identity.resume = answer.resume
    // Half of the limit leaves time for the ping's path.
    times.keepAlive =
      answer.keepAliveMilliseconds == 0 ? .max : Int(min(answer.keepAliveMilliseconds, 86_400_000)) * 500_000
    phase = .joining
    times.step = now + ChannelTimes.signallingStep
    requests.attempt = makeID()
    credentials = ICECredentials()
    requests.confirmed = settings
    let transport = TransportParameters(
      ufrag: credentials.fragment, password: SecretText(credentials.password),
      fingerprint: certificate.fingerprint, setup: .actpass)
    send(
      .join(
        JoinRequest(
          id: requests.attempt, channel: channel, user: user, role: settings.role, profile: options.profile,
          publishes: settings.publishes, autoSubscribe: settings.autoSubscribe && !settings.isEveryoneMuted,
          media: .transport(transport))), now)
  }

  /// User of the next join: the one that the relay has assigned, if there is one.
  private var user: UserIdentity {
    if case .uid(0) = options.user, let uid { return .uid(uid) }
    return options.user
  }

  private func take(_ answer: JoinedAnswer, _ now: Int) {
    guard phase == .joining, answer.id == requests.attempt, answer.channel == channel else { return }
    guard case .transport(let parameters) = answer.media, connect(parameters, now) else {
      return fail(
        .joinFailed, ChannelError(.general, "the relay's answer has no usable address; check its --advertise"), now)
    }
    identity.uid = answer.uid
    identity.account = answer.account
    identity.ssrc = answer.ssrc
    phase = .connecting
    times.step = now + ChannelTimes.transportStep
    note(
      channelUsers.replace(
        with: answer.users, elapsedMilliseconds: elapsedMilliseconds(now),
        absentUntil: now + ChannelTimes.absence(options.profile)))
    // A new join knows nothing of mutes.
    if let request = makeUpdate(
      from: ChannelSettings(
        role: settings.role, publishes: settings.publishes,
        autoSubscribe: settings.autoSubscribe && !settings.isEveryoneMuted))
    {
      send(.update(request), now)
    }
  }

  private func take(_ answer: UpdatedAnswer) {
    guard case .update(let old, let new)? = requests.pending.removeValue(forKey: answer.id) else { return }
    requests.confirmed.change(from: old, to: new)
    emit(.granted(request: answer.id))
    if answer.ssrc != ownSSRC {
      identity.ssrc = answer.ssrc
      emit(.ownSource(ssrc: answer.ssrc))
    }
    if old.role != new.role { emit(.roleChanged(old: old.role, new: new.role)) }
  }

  private func take(_ answer: RenewedAnswer) {
    guard requests.pending.removeValue(forKey: answer.id) != nil else { return }
    emit(.granted(request: answer.id))
    emit(.tokenRenewed(milliseconds: Int(answer.milliseconds)))
  }

  // MARK: Refusals

  private func take(_ report: FailureReport, _ now: Int) {
    guard report.channel == nil || report.channel == channel else { return }
    let error = ChannelError(report)
    switch report.reason {
    case nil: refuse(report.id, error, now)
    case .interrupted, .clientAddressChanged, .keepAliveTimeout:
      // The relay has forgotten the session.
      if phase == .connected { rejoin(now) } else { retry(now) }
    case .leave:
      disconnect(now)
      become(.disconnected, .leave)
      emit(.left)
    case .tokenExpired:
      let canRenew = identity.hasJoined
      disconnect(now)
      identity.isAwaitingToken = canRenew
      emit(.failed(error))
      emit(.tokenRequested)
      become(.failed, .tokenExpired)
    case let reason?: fail(reason, error, now)
    }
  }

  /// Takes the refusal of a request; the channel stays, unless it was the join.
  private func refuse(_ id: UInt32?, _ error: ChannelError, _ now: Int) {
    guard let id else { return }
    if id == requests.attempt, phase == .greeting || phase == .joining { return fail(.joinFailed, error, now) }
    guard let request = requests.pending.removeValue(forKey: id) else { return }
    switch request {
    case .update:
      // Nothing of the request counts, and all of the others do.
      settings = requests.requestedSettings
    case .renewal(let old): options.credential = old
    case .diagnosis: break
    }
    emit(.refused(request: id, error))
  }

  // MARK: Events

  /// Reports changes of users, once the channel is joined.
  func note(_ events: [ChannelEvent]) {
    if phase == .connected { for event in events { emit(event) } } else { output.held += events }
  }

  /// Joins at another relay. Only addresses with the scheme of the present one count: the token must stay encrypted.
  private func move(_ event: MoveEvent, _ now: Int) {
    let scheme = options.relay.prefix { $0 != ":" }
    let usable = event.relays.filter { $0.hasPrefix("\(scheme)://") }
    guard !usable.isEmpty, phase == .connected else { return }
    relays = RelayChoice(usable)
    rejoin(now)
  }

  /// Returns the request for the settings that differ from those at the relay; nil if none do.
  func makeUpdate(from old: ChannelSettings) -> UpdateRequest? {
    func changed<Value: Equatable>(_ path: KeyPath<ChannelSettings, Value>) -> Value? {
      old[keyPath: path] == settings[keyPath: path] ? nil : settings[keyPath: path]
    }
    let (oldSubscribe, newSubscribe) = (
      old.autoSubscribe && !old.isEveryoneMuted, settings.autoSubscribe && !settings.isEveryoneMuted
    )
    let differing = old.mutedUsers.symmetricDifference(settings.mutedUsers).sorted()
    let users = differing.prefix(MessageLimits.userCount).map { uid in
      Signalling.UserOptions(uid: uid, muted: settings.mutedUsers.contains(uid))
    }
    let (role, publishes, muted) = (changed(\.role), changed(\.publishes), changed(\.isMuted))
    guard role != nil || publishes != nil || muted != nil || oldSubscribe != newSubscribe || !users.isEmpty else {
      return nil
    }
    return UpdateRequest(
      id: makeID(), channel: channel, role: role, publishes: publishes, muted: muted,
      autoSubscribe: oldSubscribe == newSubscribe ? nil : newSubscribe, users: Array(users))
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
