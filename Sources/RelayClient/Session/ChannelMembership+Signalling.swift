import DataStreams
import Platform
import Signalling
import WebRTC

/// Messages of a membership.
extension ChannelMembership {
  /// Requests the join of the session.
  func join(_ now: Int) {
    phase = .joining
    times.step = now + ChannelTimes.signallingStep
    requests.attempt = session.makeID()
    identity.isAtRelay = true
    session.abandoned[channel] = nil
    credentials = ICECredentials()
    let settings = requests.confirmed
    session.send(
      .join(
        JoinRequest(
          id: requests.attempt, channel: channel, user: user, token: ownToken, role: settings.role,
          profile: options.profile, publishes: settings.isPublishing,
          autoSubscribe: settings.autoSubscribe && !settings.isEveryoneMuted,
          info: usesSessionToken ? nil : options.info, media: .transport(TransportParameters(credentials, certificate)),
          preloaded: preload?.lentTransport != nil, data: options.takesData,
          speakers: settings.maximumSpeakerCount == 0 ? nil : UInt32(settings.maximumSpeakerCount),
          speakerEvents: options.takesSpeakers)), now)
  }

  /// Token of the join; nil if the session has it.
  private var ownToken: SecretText? {
    guard !usesSessionToken, case .token(let token) = options.credential else { return nil }
    return token
  }

  /// Makes the session's token that of the membership, which it stays.
  func keepToken(_ now: Int) {
    guard phase.isKnownToRelay, case .token(let token) = options.credential else { return }
    session.send(.renewToken(RenewalRequest(id: session.makeID(), channel: channel, token: token)), now)
  }

  /// User of the next join: the one that the relay has assigned, if there is one.
  private var user: UserIdentity {
    if case .uid(0) = options.user, let uid { return .uid(uid) }
    return options.user
  }

  // MARK: Answers

  func take(_ answer: JoinedAnswer, _ now: Int) {
    guard phase == .joining, answer.id == requests.attempt else { return }
    guard let transport = makeTransport(answer, now) else {
      guard !answer.preloaded else { return retry(now) }
      return fail(
        .joinFailed,
        ChannelError(.general, "the relay's answer has no usable address; check its --advertise", cause: .other), now)
    }
    self.transport = transport
    isTransportReady = false
    identity.uid = answer.uid
    identity.account = answer.account
    identity.ssrc = answer.ssrc
    data.endpoint.connect(answer.data, reportSSRC: identity.reportSSRC)
    phase = .connecting
    times.step = now + ChannelTimes.transportStep
    times.drop = ChannelTimes.drop(answer, options.profile)
    note(
      channelUsers.replace(
        with: answer.users, elapsedMilliseconds: elapsedMilliseconds(now),
        absentUntil: now + times.drop))
    note(channelUsers.select(nil))
    // A new join knows nothing of mutes.
    let confirmed = requests.confirmed
    let joined = ChannelSettings(
      role: confirmed.role, publishes: confirmed.isPublishing,
      autoSubscribe: confirmed.autoSubscribe && !confirmed.isEveryoneMuted,
      maximumSpeakerCount: confirmed.maximumSpeakerCount)
    for update in makeUpdates(session.makeID(), from: joined, to: confirmed) { session.send(.update(update), now) }
    for (id, request) in requests.pending.sorted(by: { $0.key < $1.key }) {
      guard case .update(let old, let new, _) = request else { continue }
      for update in makeUpdates(id, from: old, to: new) { session.send(.update(update), now) }
    }
    // A preloaded transport may be connected already.
    takeTransportEvents(now)
    if phase == .connecting, transport.isConnected { succeed(now) }
  }

  func take(_ answer: UpdatedAnswer) {
    guard case .update(let old, let new, _)? = requests.pending.removeValue(forKey: answer.id) else { return }
    requests.confirmed.change(from: old, to: new)
    emit(.granted(request: answer.id))
    if answer.ssrc != ownSSRC {
      identity.ssrc = answer.ssrc
      emit(.ownSource(ssrc: answer.ssrc))
    }
    noteRole(from: old, to: new)
  }

  func take(_ answer: RenewedAnswer) {
    guard requests.pending.removeValue(forKey: answer.id) != nil else { return }
    emit(.granted(request: answer.id))
    emit(.tokenRenewed(milliseconds: Int(answer.milliseconds)))
  }

  func take(_ answer: DiagnosisAnswer) {
    guard requests.pending.removeValue(forKey: answer.id) != nil else { return }
    emit(.diagnosed(request: answer.id, answer.findings))
  }

  func takeLeft(_ now: Int) {
    guard phase == .leaving else { return }
    identity.isAtRelay = false
    finishLeaving(nowNanoseconds: now)
  }

  // MARK: Refusals

  /// Takes the refusal of the session, or of the join.
  func takeRefusal(_ report: FailureReport, _ now: Int) {
    guard phase != .leaving else { return }
    if report.reason == nil { fail(.joinFailed, ChannelError(report), now) } else { take(report, now) }
  }

  func take(_ report: FailureReport, _ now: Int) {
    guard phase != .leaving else { return }
    let error = ChannelError(report)
    // With a reason the relay has ended the membership.
    if report.reason != nil { identity.isAtRelay = false }
    switch report.reason {
    case nil: refuse(report.id, error, report.destination, now)
    case _ where report.isOfLoss:
      noteDrop(report)
      if phase == .connected { rejoin(now) } else { retry(now) }
    case .tokenExpired where hasPendingRenewal && phase == .connected: rejoin(now)
    case .tokenExpired where takeRenewalBack(error), .invalidToken where takeRenewalBack(error): retry(now)
    case .leave:
      disconnect(now)
      endMediaRelay(.idle, .ok)
      become(.disconnected, .leave)
      emit(.left)
    case .tokenExpired:
      let canRenew = identity.hasJoined
      disconnect(now)
      identity.isAwaitingToken = canRenew
      endMediaRelay(.failure, .sourceTokenExpired)
      emit(.failed(error))
      emit(.tokenRequested)
      become(.failed, .tokenExpired)
    case let reason?: fail(reason, error, now)
    }
  }

  /// Reports that the relay has had no packet in time, if this report is of that.
  func noteDrop(_ report: FailureReport) { if report.reason == .keepAliveTimeout { noteDrop() } }

  /// Reports that the relay has had no packet in time: once for each loss.
  func noteDrop() {
    guard state == .connected || state == .reconnecting, phase != .leaving, !times.isDropReported else { return }
    ReachPoints.note(.dropNoticed)
    times.isDropReported = true
    become(.reconnecting, .keepAliveTimeout)
  }

  /// Takes the refusal of a request; the channel stays, unless it was the join.
  private func refuse(_ id: UInt32?, _ error: ChannelError, _ destination: ChannelName?, _ now: Int) {
    guard let id else { return }
    if id == requests.attempt, phase == .joining {
      identity.isAtRelay = false
      return fail(.joinFailed, error, now)
    }
    if case .mediaRelay(let change)? = requests.pending[id] {
      return refuse(id, change, error, at: destination, now)
    }
    refuse(id, error)
  }

  private func refuse(_ id: UInt32, _ error: ChannelError) {
    guard let request = requests.pending.removeValue(forKey: id) else { return }
    switch request {
    case .update(let old, let new, _):
      // Nothing of the request counts, and all of the others do.
      settings = requests.requestedSettings
      if old.role != new.role { emit(.roleChangeFailed(RoleChangeFailure(error), current: settings.role)) }
    case .renewal(let old, let isSessions):
      options.credential = old
      if isSessions { session.credential = old }
    case .diagnosis, .mediaRelay: break
    }
    emit(.refused(request: id, error))
  }

  /// Ends the wait for the answer to a request. A role returns to the former one, at the relay too.
  func giveUp(_ id: UInt32, _ request: PendingRequest, _ now: Int) {
    if case .mediaRelay(let change) = request { return giveUp(id, change, now) }
    var time = "5 s"
    if case .update(_, let new, _) = request {
      time = "10 s"
      settings = requests.requestedSettings
      emit(.roleChangeFailed(.timedOut, current: settings.role))
      if phase == .connected || phase == .connecting {
        for update in makeUpdates(session.makeID(), from: new, to: settings) { session.sendPaced(.update(update), now) }
      }
    }
    emit(
      .refused(
        request: id,
        ChannelError(.general, "the relay has not answered within \(time); request it again", cause: .unreached)))
  }

  private var hasPendingRenewal: Bool { requests.newestRenewal != nil }

  /// Returns to the token before the newest renewal: a join has shown that the relay refuses the new one.
  ///
  /// - Returns: false without a renewal that waits.
  private func takeRenewalBack(_ error: ChannelError) -> Bool {
    guard let id = requests.newestRenewal else { return false }
    refuse(id, error)
    return true
  }

  // MARK: Events

  func take(_ event: UserJoinedEvent, _ now: Int) {
    guard phase != .leaving else { return }
    note(channelUsers.add(event.user, elapsedMilliseconds: elapsedMilliseconds(now)))
  }

  func take(_ event: UserLeftEvent) { if phase != .leaving { note(channelUsers.remove(event.uid, event.reason)) } }

  func take(_ event: UserUpdatedEvent) { if phase != .leaving { note(channelUsers.update(event)) } }

  func take(_ event: SpeakersEvent) { if phase != .leaving { note(channelUsers.select(event.users)) } }

  func take(_ event: TokenExpiryEvent) {
    if phase != .leaving { emit(.tokenWillExpire(milliseconds: Int(event.milliseconds))) }
  }

  /// Reports a change of the role or of its options.
  func noteRole(from old: ChannelSettings, to new: ChannelSettings) {
    guard old.role != new.role || old.roleOptions != new.roleOptions else { return }
    emit(.roleChanged(old: old.role, new: new.role, new.roleOptions))
  }

  /// Reports changes of users, once the channel is joined.
  func note(_ events: [ChannelEvent]) {
    for case .userLeft(let uid, _) in events { data.endpoint.remove(uid) }
    noteData()
    for event in events { emitDuringStay(event) }
  }

  /// Reports an event of another user, once the channel is joined.
  func emitDuringStay(_ event: ChannelEvent) {
    if phase == .connected { emit(event) } else { output.held.append(event) }
  }

  /// Returns the requests for the settings that differ. A request has a limited number of users, so users beyond it
  /// have earlier requests of their own, and the last request has the id.
  func makeUpdates(_ id: UInt32, from old: ChannelSettings, to new: ChannelSettings) -> [UpdateRequest] {
    func changed<Value: Equatable>(_ path: KeyPath<ChannelSettings, Value>) -> Value? {
      old[keyPath: path] == new[keyPath: path] ? nil : new[keyPath: path]
    }
    let (oldSubscribe, newSubscribe) = (
      old.autoSubscribe && !old.isEveryoneMuted, new.autoSubscribe && !new.isEveryoneMuted
    )
    var users = old.namedUsers.union(new.namedUsers).sorted().compactMap { uid in
      let (subscribes, muted) = (new.subscribes(to: uid), new.mutes(uid))
      let (isOther, isOtherMute) = (subscribes != old.subscribes(to: uid), muted != old.mutes(uid))
      guard isOther || isOtherMute else { return Signalling.UserOptions?.none }
      return UserOptions(
        uid: uid, subscribes: isOther ? subscribes : nil, automatic: isOther && subscribes == nil,
        muted: isOtherMute ? muted : nil)
    }
    var updates: [UpdateRequest] = []
    while users.count > MessageLimits.userCount {
      updates.append(
        UpdateRequest(id: session.makeID(), channel: channel, users: Array(users.prefix(MessageLimits.userCount))))
      users.removeFirst(MessageLimits.userCount)
    }
    let (role, publishes, muted) = (changed(\.role), changed(\.isPublishing), changed(\.isSilent))
    let (music, quality) = (changed(\.playsMusic), old.quality == new.quality ? nil : new.quality)
    let speakers = changed(\.maximumSpeakerCount).map { UInt32($0) }
    let hasOwnChange =
      role != nil || publishes != nil || muted != nil || music != nil || quality != nil || speakers != nil
    guard hasOwnChange || oldSubscribe != newSubscribe || !users.isEmpty else { return [] }
    updates.append(
      UpdateRequest(
        id: id, channel: channel, role: role, publishes: publishes, muted: muted, music: music, quality: quality,
        autoSubscribe: oldSubscribe == newSubscribe ? nil : newSubscribe, speakers: speakers, users: users))
    return updates
  }
}
