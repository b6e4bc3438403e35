import NetworkIO
import Signalling

/// Attempts to reach the relay, and their end.
extension RelaySession {
  /// Takes a membership that wants to join. A former one of the channel that still leaves ends here.
  func add(_ membership: ChannelMembership, _ now: Int) {
    for former in memberships where former.channel == membership.channel { former.finishLeaving(nowNanoseconds: now) }
    memberships.append(membership)
    begin(now)
  }

  /// Lets go of a membership that has ended. The last one takes the connection with it, unless the program holds it.
  func remove(_ membership: ChannelMembership) {
    memberships.removeAll { $0 === membership }
    endIfUnused()
  }

  /// Takes a preload that wants a transport.
  func add(_ preload: ChannelPreload, _ now: Int) {
    preloads.append(preload)
    begin(now)
  }

  /// Lets go of a preload that has ended.
  func remove(_ preload: ChannelPreload) {
    preloads.removeAll { $0 === preload }
    endIfUnused()
  }

  /// Leaves a channel without waiting for the answer: a session that lives on would keep the user there.
  func abandon(_ channel: ChannelName, _ now: Int) {
    let id = makeID()
    abandoned[channel] = id
    if phase == .open { send(.leave(LeaveRequest(id: id, channel: channel)), now) }
  }

  /// Opens the session, or lets memberships join.
  func begin(_ now: Int) {
    switch phase {
    case .idle, .waiting:
      delay.reset()
      open(now)
    case .opening: break
    case .greeting, .open: startJoins(now)
    }
  }

  /// Closes the connection without a use.
  func endIfUnused() {
    guard !isNeeded, phase != .idle else { return }
    loseRequests()
    abandoned = [:]
    command(.close)
    phase = .idle
  }

  private var isNeeded: Bool { holding.credential != nil || !memberships.isEmpty || !preloads.isEmpty }

  /// Opens a WebSocket.
  func open(_ now: Int) {
    phase = .opening
    times.unanswered = nil
    times.step = now + ChannelTimes.signallingStep
    command(.open(relay: relay))
  }

  /// Opens another WebSocket at once after a success. The transports of the memberships still carry packets until they
  /// have new keys.
  func reopen(_ now: Int) {
    interrupt(now)
    guard isNeeded else { return }
    delay.reset()
    open(now)
  }

  /// Ends an attempt that has failed; the next one follows after a delay.
  func retry(_ now: Int) {
    interrupt(now)
    guard isNeeded else { return }
    relays.advance()
    command(.close)
    phase = .waiting(untilNanoseconds: now + delay.next(using: &random))
  }

  /// Replaces a connection that has ended, or is without answers: at once behind a success.
  func replace(_ now: Int) {
    let isProved = memberships.contains { $0.phase == .connected } || memberships.isEmpty && phase == .open
    if isProved { reopen(now) } else { retry(now) }
  }

  /// Starts the next attempt, because packets pass again.
  func hurry(_ now: Int) {
    switch phase {
    case .waiting, .opening: open(now)
    case .idle, .greeting, .open: break
    }
  }

  /// Lets memberships and preloads that wait request their transports, as many as the rate allows.
  func startJoins(_ now: Int) {
    guard isConnected else { return }
    for membership in memberships where membership.phase == .waiting {
      guard pace.allows(at: Int64(now)) else { return }
      membership.join(now)
    }
    for preload in preloads where preload.phase == .waiting {
      guard pace.allows(at: Int64(now)) else { return }
      preload.sendRequest(now)
    }
  }

  /// Whether another membership or a preload shows that the relay is reached by this connection: its packets pass.
  func isProved(besides membership: ChannelMembership, _ now: Int) -> Bool {
    memberships.contains { other in
      other !== membership && other.phase == .connected && now - other.times.heard < ChannelTimes.interruption
    } || preloads.contains { $0.isProved(now) }
  }

  /// Whether another membership passes packets, or joins, or the program's messages do.
  func isUsed(besides membership: ChannelMembership, _ now: Int) -> Bool {
    // Pings are 5 s apart.
    let isHeard = now - holding.heardNanoseconds < ChannelTimes.signallingStep + 1_000_000_000
    return isProved(besides: membership, now) || holding.credential != nil && phase == .open && isHeard
      || memberships.contains { $0 !== membership && ($0.phase == .joining || $0.phase == .connecting) }
  }

  private func interrupt(_ now: Int) {
    if phase == .open, holding.credential != nil { emit(.interrupted) }
    loseRequests()
    for membership in memberships { membership.interrupt(now) }
    for preload in preloads { preload.interrupt(now) }
  }

  /// Ends the requests of a lost connection. A message may have been delivered: it is never sent again.
  private func loseRequests() {
    let lost = requests.sorted { $0.key < $1.key }
    requests = [:]
    for (id, request) in lost {
      switch request {
      case .message where !removeHeld(id): emit(.messageAnswered(request: id, .unknown))
      case .message, .presence, .renewal:
        emit(
          .refused(
            request: id,
            ChannelError(.notReady, "the relay was lost before its answer; request it again", cause: .unreached)))
      }
    }
    forgetHeld()
  }
}
