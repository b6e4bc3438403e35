import Signalling

/// Relay of the local user's audio to other channels.
///
/// Each request names the whole list. The relay keeps it during a rejoin of the same session. A rejoin requests it all
/// the same, because the session may be another one.
extension ChannelMembership {
  /// Lets the user be heard in other channels, or changes their list. During a loss of the connection the request
  /// waits.
  ///
  /// - Returns: Id of the request; nil if the list is the present one.
  /// - Throws: `.invalidArgument` for a list that cannot be, `.wrongState` without a channel, `.refused` for a user
  ///   that must not publish.
  package func relayMedia(
    to configuration: ChannelMediaRelayConfiguration, nowNanoseconds now: Int
  ) throws(ChannelError) -> UInt32? {
    try checkIsInChannel()
    var list = try MediaRelayList(configuration, from: channel)
    guard !options.profile.hasRoles || settings.role == .broadcaster else {
      throw ChannelError(
        .refused, "the audience relays no audio to other channels; become a broadcaster first", cause: .right)
    }
    guard phase != .connected || ownSSRC != nil else {
      throw ChannelError(
        .refused,
        "the token has no right to publish, so that no audio can be relayed; sign a token with the right "
          + "'publish'", cause: .right)
    }
    let present = wantedList
    list.isPaused = present?.isPaused ?? false
    guard list != present else {
      emit(.mediaRelayEvent(.updateDestinationChannelNotChange))
      return nil
    }
    if relay.state != .running, relay.state != .connecting { setMediaRelay(.connecting) }
    return request(.list, list, now)
  }

  /// Lets the other channels get no audio for now, or again.
  ///
  /// - Returns: Id of the request.
  /// - Throws: `.wrongState` without a relay to other channels that runs.
  package func pauseMediaRelay(_ isPaused: Bool, nowNanoseconds now: Int) throws(ChannelError) -> UInt32 {
    try checkIsInChannel()
    guard relay.state == .running, var list = wantedList else {
      throw ChannelError(.wrongState, "no other channel gets the audio; start the relay to other channels first")
    }
    list.isPaused = isPaused
    return request(isPaused ? .pause : .resume, list, now)
  }

  /// Ends the relay to other channels.
  ///
  /// - Returns: Id of the request; nil if the relay has no list.
  /// - Throws: `.wrongState` without a channel.
  package func stopMediaRelay(nowNanoseconds now: Int) throws(ChannelError) -> UInt32? {
    try checkIsInChannel()
    guard relay.isAtRelay || hasSentList else {
      // Requests that were never sent.
      for (id, _) in requests.mediaRelayChanges {
        requests.pending[id] = nil
        emit(.refused(request: id, ChannelError(.refused, "the relay to other channels was stopped before it began")))
      }
      endMediaRelay(.idle, .ok)
      return nil
    }
    return request(.stop, .none, now)
  }

  // MARK: Internal

  /// Takes a list that the relay has granted.
  func take(_ answer: MediaRelayAnswer) {
    guard case .mediaRelay(let change)? = requests.pending[answer.id] else { return }
    requests.pending[answer.id] = nil
    let isStop = change.list.destinations.isEmpty
    relay.granted = isStop ? nil : change.list
    // Later requests have been sent, or follow a rejoin that repeats this list.
    relay.isAtRelay = !isStop || requests.mediaRelayChanges.contains { !$0.change.list.destinations.isEmpty }
    if change.kind != .restore { emit(.granted(request: answer.id)) }
    if relay.isInterrupted, !isStop {
      relay.isInterrupted = false
      emit(.mediaRelayEvent(.connected))
    }
    switch change.kind {
    case .list where relay.state == .running:
      emit(.mediaRelayEvent(.updateDestinationChannel))
      note(answer)
    case .list:
      emit(.mediaRelayEvent(.joinedSourceChannel))
      emit(.mediaRelayEvent(.joinedDestinationChannel))
      note(answer)
      emit(.mediaRelayEvent(.sentToDestinationChannel))
      setMediaRelay(.running)
    case .pause: emit(.mediaRelayEvent(.pauseSendPacketToDestinationChannelSuccess))
    case .resume: emit(.mediaRelayEvent(.resumeSendPacketToDestinationChannelSuccess))
    case .restore: note(answer)
    case .stop:
      relay.uids = [:]
      relay.isInterrupted = false
      if relay.state != .idle { setMediaRelay(.idle) }
      if wantedList != nil { setMediaRelay(.connecting) }
    }
  }

  /// Takes the end of one channel.
  func take(_ event: MediaRelayEndedEvent) {
    guard phase != .leaving else { return }
    remove(
      event.destination, ChannelError(event.code, event.sentence),
      ChannelMediaRelayError(endedWith: event.code, isOfSource: event.isOfSource))
  }

  /// Takes the refusal of a request. The list before it stays.
  func refuse(
    _ id: UInt32, _ change: MediaRelayChange, _ error: ChannelError, at destination: ChannelName?, _ now: Int
  ) {
    requests.pending[id] = nil
    let reason = ChannelMediaRelayError(error, hasDestination: destination != nil)
    if change.kind == .restore, let destination, relay.uids[destination] != nil {
      remove(destination, error, reason)
      // The relay takes a list as a whole or not at all: the others follow.
      if let granted = relay.granted { request(.restore, granted, now) }
      return
    }
    end(id, change, error, reason)
    // The relay may still have the list of before.
    if change.kind == .restore, !hasSentList { sendUnawaited(.none, now) }
  }

  /// Ends the wait for an answer. The relay may have taken the request, and returns to the list before it.
  func giveUp(_ id: UInt32, _ change: MediaRelayChange, _ now: Int) {
    end(
      id, change,
      ChannelError(
        .general,
        "the relay has not answered 'relayMedia' within 5 s; request it again, or use a relay of this version",
        cause: .unreached), .serverNoResponse)
    if requests.mediaRelayChanges.isEmpty { sendUnawaited(relay.granted ?? .none, now) }
  }

  /// Requests the list again, and then the requests of the program that have waited.
  func restoreMediaRelay(_ now: Int) {
    let changes = requests.mediaRelayChanges
    if changes.last?.change.kind != .stop {
      if let granted = relay.granted {
        request(.restore, granted, now)
      } else if relay.isAtRelay, changes.isEmpty {
        sendUnawaited(.none, now)
      }
    }
    for (id, change) in changes { send(id, change, now) }
  }

  /// Reports that the connection is lost.
  func noteMediaRelayLoss() {
    guard relay.state == .connecting || relay.state == .running, !relay.isInterrupted else { return }
    relay.isInterrupted = true
    emit(.mediaRelayEvent(.disconnected))
  }

  /// Forgets the relay to other channels: it has ended with the channel.
  func endMediaRelay(_ state: ChannelMediaRelayState, _ error: ChannelMediaRelayError) {
    let former = relay.state
    relay = MediaRelayStatus(state: former)
    guard former != .idle, former != state else { return }
    setMediaRelay(state, error)
  }

  // MARK: Private

  private var relay: MediaRelayStatus {
    get { requests.mediaRelay }
    set { requests.mediaRelay = newValue }
  }

  /// List once the relay grants all requests that wait; nil without one.
  private var wantedList: MediaRelayList? {
    let waiting = requests.mediaRelayChanges.map(\.change)
    // A request of the program is newer than one that repeats the granted list.
    guard let newest = (waiting.last { $0.kind != .restore } ?? waiting.last)?.list else { return relay.granted }
    return newest.destinations.isEmpty ? nil : newest
  }

  /// Whether the relay may grant a list that it has not answered yet.
  private var hasSentList: Bool {
    requests.mediaRelayChanges.contains {
      $0.change.untilNanoseconds != nil && !$0.change.list.destinations.isEmpty
    }
  }

  private func checkIsInChannel() throws(ChannelError) {
    guard state == .connected || state == .reconnecting, phase != .leaving else {
      throw ChannelError(
        .wrongState, "the channel '\(channel)' is not joined; join it before its audio goes to other channels")
    }
  }

  private func setMediaRelay(_ state: ChannelMediaRelayState, _ error: ChannelMediaRelayError = .ok) {
    relay.state = state
    emit(.mediaRelayStateChanged(state, error))
  }

  /// Notes the uids in the other channels, and reports those that are new.
  private func note(_ answer: MediaRelayAnswer) {
    let former = relay.uids
    relay.uids = [:]
    for destination in answer.destinations {
      relay.uids[destination.channel] = destination.uid
      guard former[destination.channel] != destination.uid else { continue }
      emit(.mediaRelayStarted(channel: destination.channel, uid: destination.uid))
    }
  }

  /// Ends a request that is not granted.
  private func end(_ id: UInt32, _ change: MediaRelayChange, _ error: ChannelError, _ reason: ChannelMediaRelayError) {
    if change.kind != .restore { emit(.refused(request: id, error)) }
    switch change.kind {
    case .list where relay.state == .running: emit(.mediaRelayEvent(.updateDestinationChannelRefused))
    case .list:
      relay.isAtRelay = reason == .serverNoResponse || hasSentList
      if wantedList == nil { setMediaRelay(.failure, reason) }
    case .pause: emit(.mediaRelayEvent(.pauseSendPacketToDestinationChannelFailed))
    case .resume: emit(.mediaRelayEvent(.resumeSendPacketToDestinationChannelFailed))
    case .stop where reason == .serverNoResponse:
      // Nobody wants the list any more: the next rejoin requests the end again.
      (relay.granted, relay.uids) = (nil, [:])
      setMediaRelay(.idle, reason)
    case .stop: if relay.granted != nil { setMediaRelay(.running, reason) }
    case .restore: fail(reason)
    }
  }

  /// Removes a channel that the relay has ended.
  private func remove(_ destination: ChannelName, _ error: ChannelError, _ reason: ChannelMediaRelayError) {
    guard relay.uids.removeValue(forKey: destination) != nil else { return }
    relay.granted?.destinations.removeAll { $0.channel == destination }
    emit(.mediaRelayEnded(channel: destination, error))
    if relay.granted?.destinations.isEmpty == false { setMediaRelay(.running, reason) } else { fail(reason) }
  }

  private func fail(_ reason: ChannelMediaRelayError) {
    relay = MediaRelayStatus(state: relay.state, isAtRelay: reason == .serverNoResponse || hasSentList)
    setMediaRelay(.failure, reason)
  }

  @discardableResult
  private func request(_ kind: MediaRelayChange.Kind, _ list: MediaRelayList, _ now: Int) -> UInt32 {
    let id = session.makeID()
    send(id, MediaRelayChange(kind: kind, list: list), now)
    return id
  }

  /// Sends a request; without a connection it waits for the next one.
  private func send(_ id: UInt32, _ change: MediaRelayChange, _ now: Int) {
    var change = change
    if phase == .connected {
      change.untilNanoseconds = now + ChannelTimes.request
      sendList(id, change.list, now)
    }
    requests.pending[id] = .mediaRelay(change)
  }

  /// Sends a request without a wait for its answer.
  private func sendUnawaited(_ list: MediaRelayList, _ now: Int) {
    if phase == .connected { sendList(session.makeID(), list, now) }
  }

  private func sendList(_ id: UInt32, _ list: MediaRelayList, _ now: Int) {
    if !list.destinations.isEmpty { relay.isAtRelay = true }
    session.sendPaced(
      .relayMedia(
        MediaRelayRequest(
          id: id, channel: channel, token: list.token, destinations: list.destinations, paused: list.isPaused)), now)
  }
}
