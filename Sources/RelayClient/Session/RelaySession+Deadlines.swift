import NetworkIO
import Platform
import Signalling

/// Timers of a session.
extension RelaySession {
  /// Time of the next `poll`, with those of the memberships; nil if none is needed.
  package var nextDeadlineNanoseconds: Int? {
    var deadline = min(patienceDeadline, requestDeadline)
    for membership in memberships { deadline = min(deadline, membership.deadlineNanoseconds) }
    for preload in preloads { deadline = min(deadline, preload.deadlineNanoseconds) }
    switch phase {
    case .idle: break
    case .waiting(let time): deadline = min(deadline, time)
    case .opening, .greeting: deadline = min(deadline, times.step)
    case .open:
      deadline = min(deadline, pingDeadline, answerDeadline, heldDeadline)
      if memberships.contains(where: { $0.phase == .waiting }) || preloads.contains(where: { $0.phase == .waiting }) {
        deadline = min(deadline, Int(pace.nextAllowedNanoseconds))
      }
    }
    return deadline == .max ? nil : deadline
  }

  /// Does the work that is due, for the memberships and preloads, too.
  package func poll(nowNanoseconds now: Int) {
    for membership in memberships { membership.poll(now) }
    for preload in preloads { preload.poll(now) }
    noteSilence(now)
    expireRequests(now)
    switch phase {
    case .waiting(let time) where now >= time: open(now)
    case .opening, .greeting:
      guard now >= times.step else { break }
      if phase == .opening { ReachPoints.note(.openTimedOut) }
      let error = delayOfStep
      failure = error
      for membership in memberships { membership.noteDelay(error) }
      retry(now)
    // Packets pass, and the WebSocket does not: the user's address has changed, and TCP would notice after minutes.
    case .open where now >= answerDeadline:
      ReachPoints.note(.socketDeaf)
      replace(now)
    case .open:
      if now >= pingDeadline { send(.ping(PingRequest(id: makeID())), now) }
      startJoins(now)
      sendHeld(now)
    case .waiting, .idle: break
    }
  }

  /// Error of an attempt that takes too long.
  var delayOfStep: ChannelError {
    switch phase {
    case .greeting, .open:
      ChannelError(
        .general, "\(relay) accepts connections and does not answer the join; check its load",
        cause: .unreached)
    case .idle, .waiting, .opening:
      ChannelError(
        .general, "\(relay) did not answer in time; check the address and that the relay runs",
        cause: .unreached)
    }
  }

  /// Whether the relay has accepted the connection.
  var isConnected: Bool { phase == .greeting || phase == .open }

  private var pingDeadline: Int { times.keepAlive == .max ? .max : times.sentText + times.keepAlive }

  private var answerDeadline: Int { times.unanswered.map { $0 + ChannelTimes.answer } ?? .max }
}
