import Signalling
import WebRTC

/// Attempts to join, and their end.
extension ChannelConnection {
  /// Starts to join from a state without attempts.
  func begin(_ state: ConnectionState, _ now: Int, reason: ConnectionReason = .connecting) {
    times.heard = now
    times.isLossReported = false
    times.isTimeoutReported = false
    delay.reset()
    become(state, reason)
    open(now)
  }

  /// Opens a WebSocket.
  func open(_ now: Int) {
    phase = .opening
    times.unanswered = nil
    times.step = now + ChannelTimes.signallingStep
    command(.open(relay: relays.current ?? options.relay))
  }

  /// Joins again at once after a success. The present transport still carries packets until there are new keys.
  func rejoin(_ now: Int) {
    refusePending()
    delay.reset()
    open(now)
  }

  /// Ends an attempt that has failed; the next one follows after a delay.
  func retry(_ now: Int) {
    refusePending()
    if !isTransportReady { dropTransport() }
    relays.advance()
    command(.close)
    phase = .waiting(untilNanoseconds: now + delay.next(using: &random))
  }

  /// Reports a failure for good.
  func fail(_ reason: ConnectionReason, _ error: ChannelError, _ now: Int) {
    disconnect(now)
    emit(.failed(error))
    become(.failed, reason)
  }

  /// Ends everything that runs, without an event.
  func disconnect(_ now: Int) {
    refusePending()
    identity.isAwaitingToken = false
    if phase != .idle { command(.close) }
    phase = .idle
    closeTransport(now)
    identity.ssrc = nil
    channelUsers = ChannelUsers()
    output.held = []
  }

  /// Ends the transport, and notifies the relay.
  func closeTransport(_ now: Int) {
    transport?.close(nowNanoseconds: now)
    while let datagram = transport?.takeDatagram() { transmit(datagram) }
    dropTransport()
  }

  func dropTransport() {
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
    times.isTimeoutReported = false
    delay.reset()
    let isFirst = !identity.hasJoined
    identity.hasJoined = true
    if state != .connected { become(.connected, isFirst ? .joinSuccess : .rejoinSuccess) }
    let (uid, elapsed) = (uid ?? 0, elapsedMilliseconds(now))
    emit(
      isFirst
        ? .joined(uid: uid, account: identity.account, elapsedMilliseconds: elapsed)
        : .rejoined(uid: uid, elapsedMilliseconds: elapsed))
    emit(.ownSource(ssrc: ownSSRC))
    failure = nil
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
  }

  func refusePending() {
    for id in requests.pending.keys.sorted() {
      emit(.refused(request: id, ChannelError(.notReady, "the relay was lost before its answer; request it again")))
    }
    requests.pending = [:]
  }
}
