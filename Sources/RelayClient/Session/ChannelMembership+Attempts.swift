import Platform
import Signalling
import WebRTC

/// Attempts to join, and their end.
extension ChannelMembership {
  /// Starts to join from a state without attempts.
  func begin(_ state: ConnectionState, _ now: Int, reason: ConnectionReason = .connecting) {
    times.heard = now
    times.isLossReported = false
    times.isDropReported = false
    times.isTimeoutReported = false
    delay.reset()
    become(state, reason)
    phase = .waiting
    session.add(self, now)
  }

  /// Joins again at once after a success. The present transport still carries packets until there are new keys.
  func rejoin(_ now: Int) {
    guard session.isProved(besides: self, now) else { return session.reopen(now) }
    ReachPoints.note(.rejoinedInSession)
    refuseRequests { !$0.outlivesConnection }
    delay.reset()
    phase = .waiting
    session.startJoins(now)
  }

  /// Ends an attempt that has failed; the next one follows after a delay.
  func retry(_ now: Int) {
    guard session.isUsed(besides: self, now) else { return session.retry(now) }
    ReachPoints.note(.retriedInSession)
    refuseRequests { !$0.outlivesConnection }
    if !isTransportReady { dropTransport() }
    phase = .pausing(untilNanoseconds: now + delay.next(using: &random))
  }

  /// Notes that the session has lost its connection: the join follows on the next one.
  func interrupt(_ now: Int) {
    guard phase != .leaving else { return finishLeaving(nowNanoseconds: now) }
    refuseRequests { !$0.outlivesConnection }
    if !isTransportReady { dropTransport() }
    phase = .waiting
  }

  /// Reports a failure for good.
  func fail(_ reason: ConnectionReason, _ error: ChannelError, _ now: Int) {
    disconnect(now)
    endMediaRelay(.failure, reason == .tokenExpired ? .sourceTokenExpired : .serverConnectionLost)
    emit(.failed(error))
    become(.failed, reason)
  }

  /// Ends everything that runs, without an event.
  func disconnect(_ now: Int) {
    refuseRequests { _ in true }
    identity.isAwaitingToken = false
    phase = .idle
    if identity.isAtRelay { session.abandon(channel, now) }
    identity.isAtRelay = false
    session.remove(self)
    closeTransport(now)
    preload = nil
    identity.ssrc = nil
    channelUsers = ChannelUsers()
    output.held = []
  }

  /// Ends the transport, and notifies the relay.
  func closeTransport(_ now: Int) {
    if let transport { close(transport, now) }
    if let preloaded = preload?.takeLentTransport() { close(preloaded, now) }
    dropTransport()
  }

  func close(_ transport: MediaTransport, _ now: Int) {
    transport.close(nowNanoseconds: now)
    while let datagram = transport.takeDatagram() { transmit(datagram) }
  }

  func dropTransport() {
    _ = preload?.takeLentTransport()
    transport = nil
    isTransportReady = false
  }

  /// Notes that packets pass: the channel is joined.
  func succeed(_ now: Int) {
    phase = .connected
    isTransportReady = true
    times.heard = now
    times.check = now
    times.joined = now
    identity.address = transport?.mappedAddress
    times.isLossReported = false
    times.isDropReported = false
    times.isTimeoutReported = false
    delay.reset()
    session.delay.reset()
    let isFirst = !identity.hasJoined
    identity.hasJoined = true
    if state != .connected { become(.connected, isFirst ? .joinSuccess : .rejoinSuccess) }
    let (uid, elapsed) = (uid ?? 0, elapsedMilliseconds(now))
    emit(
      isFirst
        ? .joined(uid: uid, account: identity.account, elapsedMilliseconds: elapsed)
        : .rejoined(uid: uid, elapsedMilliseconds: elapsed))
    if let account = identity.account, let derived = session.accountUID, derived != uid {
      emit(.userInfoUpdated(uid: uid, account: account))
    }
    emit(.ownSource(ssrc: ownSSRC))
    failure = nil
    // The relay has taken the new token with the join.
    for (id, request) in requests.pending.sorted(by: { $0.key < $1.key }) {
      guard case .renewal = request else { continue }
      requests.pending[id] = nil
      emit(.granted(request: id))
    }
    let held = output.held
    output.held = []
    for event in held {
      // The time of the event is now, not that of the relay's message.
      if case .userJoined(let user, _) = event {
        emit(.userJoined(user, elapsedMilliseconds: elapsed))
      } else {
        emit(event)
      }
    }
    report(now)
    restoreMediaRelay(now)
  }

  /// Refuses the requests that wait for an answer, as far as a condition holds.
  func refuseRequests(_ isOver: (PendingRequest) -> Bool) {
    for (id, request) in requests.pending.sorted(by: { $0.key < $1.key }) where isOver(request) {
      requests.pending[id] = nil
      // The program has not requested it.
      if case .mediaRelay(let change) = request, change.kind == .restore { continue }
      if case .update(let old, let new, _) = request, old.role != new.role {
        emit(.roleChangeFailed(.connectionFailed, current: requests.confirmed.role))
      }
      emit(
        .refused(
          request: id,
          ChannelError(.notReady, "the relay was lost before its answer; request it again", cause: .unreached)))
    }
    requests.suspendMediaRelay()
  }
}
