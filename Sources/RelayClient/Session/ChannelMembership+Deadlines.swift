import Platform
import RTP
import Signalling
import WebRTC

/// Timers of a membership.
extension ChannelMembership {
  /// Time of the next `poll`; `Int.max` if none is needed.
  var deadlineNanoseconds: Int {
    guard phase != .idle else { return .max }
    guard phase != .leaving else { return times.step }
    var deadline = times.heard + ChannelTimes.patience
    if let joinDeadline { deadline = min(deadline, joinDeadline) }
    if !times.isLossReported { deadline = min(deadline, times.heard + ChannelTimes.loss) }
    if state == .connected { deadline = min(deadline, times.heard + ChannelTimes.interruption) }
    if let due = usedTransport?.nextDeadlineNanoseconds { deadline = min(deadline, due) }
    if let due = channelUsers.nextExpiryNanoseconds { deadline = min(deadline, due) }
    if let due = requests.nextExpiryNanoseconds { deadline = min(deadline, due) }
    if isTransportReady { deadline = min(deadline, times.sentPacket + ChannelTimes.keepAlive, checkDeadline) }
    if let due = dataDeadlineNanoseconds { deadline = min(deadline, due) }
    switch phase {
    case .pausing(let time): deadline = min(deadline, time)
    case .joining, .connecting: deadline = min(deadline, times.step)
    case .waiting, .connected, .idle, .leaving: break
    }
    return deadline
  }

  /// Does the work that is due.
  func poll(_ now: Int) {
    guard phase != .idle else { return }
    guard phase != .leaving else {
      if now >= times.step { finishLeaving(nowNanoseconds: now) }
      return
    }
    usedTransport?.poll(nowNanoseconds: now)
    takeTransportEvents(now)
    noteAnswers(now)
    if let joinDeadline, now >= joinDeadline {
      // Without an address that answers, the reason of the newest attempt says more than the present one's delay.
      let isReached = phase.isKnownToRelay || session.isConnected || failure == nil
      return fail(.joinFailed, isReached ? delayOfStep : failure ?? delayOfStep, now)
    }
    noteSilence(now)
    let expired = channelUsers.expire(nowNanoseconds: now)
    if !expired.isEmpty { ReachPoints.note(.absentUserExpired) }
    note(expired)
    for (id, request) in requests.expire(nowNanoseconds: now) { giveUp(id, request, now) }
    switch phase {
    case .pausing(let time) where now >= time: phase = .waiting
    case .joining, .connecting:
      guard now >= times.step else { break }
      if phase == .connecting { ReachPoints.note(.mediaTimedOut) }
      noteDelay(delayOfStep)
      retry(now)
    case .waiting, .pausing, .connected, .idle, .leaving: break
    }
    sendData(now)
    guard isTransportReady else { return }
    // One kind of packet keeps the path alive. The answer to a check is also a sign of a relay that sends nothing.
    let isIdle = now - times.sentPacket >= ChannelTimes.keepAlive
    if now >= checkDeadline || isIdle && now - times.heard >= ChannelTimes.checkInterval {
      check(now)
    } else if isIdle {
      report(now)
    }
  }

  /// Notes a step of an attempt that takes too long; the first one since a success is reported.
  func noteDelay(_ error: ChannelError) {
    guard phase != .leaving else { return }
    failure = error
    if !times.isTimeoutReported { emit(.timedOut) }
    times.isTimeoutReported = true
  }

  /// Checks the path. A report follows where the last check had no answer: it proves an address that a translator has
  /// changed.
  private func check(_ now: Int) {
    let isUnanswered = times.check > times.heard
    times.check = now
    times.sentPacket = now
    transport?.checkPath(nowNanoseconds: now)
    takeTransportEvents(now)
    guard isUnanswered else { return }
    ReachPoints.note(.reportBehindCheck)
    report(now)
  }

  private var joinDeadline: Int? {
    identity.hasJoined ? nil : options.joinLimitNanoseconds.map { times.join + $0 }
  }

  /// Error of an attempt that takes too long.
  private var delayOfStep: ChannelError {
    switch phase {
    case .connecting, .connected:
      let address = mediaAddress.map(\.description) ?? "of no name"
      return ChannelError(
        .general,
        "\(session.relay) answers, and no packets come from its media address \(address); "
          + "check the relay's --advertise, and whether firewalls let UDP pass", cause: .unreached)
    case .joining, .waiting, .pausing, .idle, .leaving: return session.delayOfStep
    }
  }

  private var checkDeadline: Int {
    max(times.heard + ChannelTimes.check, times.check + ChannelTimes.checkInterval)
  }

  /// Notes the relay's newest answer to a check. After an interruption the network is back: the next attempt is due.
  func noteAnswers(_ now: Int) {
    noteAddress(now)
    guard isTransportReady, let heard = transport?.heardNanoseconds, heard > times.heard else { return }
    let wasInterrupted = heard - times.heard >= ChannelTimes.interruption
    times.heard = heard
    if wasInterrupted, phase == .waiting { session.hurry(now) }
  }

  /// Joins again if this machine has moved to another network: TCP connections of the former one are dead, and neither
  /// end would notice for a while.
  private func noteAddress(_ now: Int) {
    guard phase == .connected, isTransportReady, now - times.joined >= ChannelTimes.settled else { return }
    guard let former = identity.address, let present = transport?.mappedAddress else { return }
    guard !present.hasSameHost(as: former) else { return }
    ReachPoints.note(.networkChanged)
    // The other memberships have the same machine.
    for membership in session.memberships where membership.phase == .connected {
      membership.become(.reconnecting, .clientAddressChanged)
    }
    session.reopen(now)
  }

  private func noteSilence(_ now: Int) {
    let silence = now - times.heard
    if state == .connected, silence >= ChannelTimes.interruption {
      ReachPoints.note(.connectionInterrupted)
      become(.reconnecting, .interrupted)
      if phase == .connected { rejoin(now) }
    }
    if !times.isLossReported, silence >= ChannelTimes.loss {
      ReachPoints.note(.connectionLost)
      times.isLossReported = true
      emit(.connectionLost)
    }
    guard silence >= ChannelTimes.patience else { return }
    fail(
      .lost,
      ChannelError(
        .general, "the relay was not reached for 20 minutes; check the network and join again", cause: .unreached), now)
  }

  /// Sends an empty report, so that the relay hears an authentic packet.
  func report(_ now: Int) {
    times.sentPacket = now
    guard let transport, let address = transport.remoteAddress else { return }
    var writer = RTCPWriter(into: data.memory)
    do throws(RTCPError) { try writer.appendReceiverReport(ssrc: reportSSRC) } catch { return }
    guard let count = transport.protectRTCP(data.memory, byteCount: writer.byteCount) else { return }
    transmit(ICEDatagram(bytes: Array(data.memory[..<count]), address: address))
  }
}
