internal import Platform
internal import Signalling
internal import WebRTC

extension RelayCore {
  /// Does the work that is due.
  public func poll(nowNanoseconds now: Int) {
    leaveMedia()
    for forwarder in forwarders { forwarder.lock.hold { forwarder.poll(nowNanoseconds: now) } }
    pollSignalling(nowNanoseconds: now)
  }

  /// Does the work that is due, without that of the forwarders.
  func pollSignalling(nowNanoseconds now: Int) {
    defer { endCall(now) }
    while let object = deadlines.takeDue(now) {
      switch object {
      case let member as Member: poll(member, now)
      case let preload as Preload: poll(preload, now)
      case let session as Session: poll(session, now)
      case let connection as Connection: poll(connection, now)
      default: break
      }
    }
    if let end = drainEndNanoseconds, now >= end { endDrain(now) }
  }

  /// Difference to the system's calendar that is followed, in milliseconds: tokens count seconds.
  private static let largestClockErrorMilliseconds: Int64 = 250

  /// Takes the datagrams of a worker's port that the kernel has dropped since the beginning.
  public func noteDropped(_ count: Int, worker: Int = 0, nowNanoseconds now: Int) {
    guard count > droppedCounts[worker] else { return }
    ownCounters.droppedDatagrams += count - droppedCounts[worker]
    droppedCounts[worker] = count
    droppedNanoseconds[worker] = now
  }

  /// Takes the datagrams that the kernel has not taken since the beginning.
  public func noteUnsent(full: Int, refused: Int) {
    ownCounters.fullBufferDatagrams = full
    ownCounters.unsentDatagrams = refused
  }

  /// Compares with the system's calendar, which may be set after the start: by NTP, or after a pause of a guest.
  public func follow(unixMilliseconds: Int64, nowNanoseconds now: Int) {
    let (error, overflow) = unixMilliseconds.subtractingReportingOverflow(clock.milliseconds(now))
    guard overflow || error.magnitude >= Self.largestClockErrorMilliseconds else { return }
    setClock(unixMilliseconds: unixMilliseconds, nowNanoseconds: now)
  }

  /// Takes a step of the calendar: tokens count by it from now on.
  public func setClock(unixMilliseconds: Int64, nowNanoseconds now: Int) {
    defer { endCall(now) }
    ownCounters.clockSteps += 1
    ownCounters.lastClockStepMilliseconds = Int(clamping: unixMilliseconds &- clock.milliseconds(now))
    clock.set(unixMilliseconds: unixMilliseconds, nowNanoseconds: now)
    for session in sessions.ordered {
      poll(session, now)
      for member in session.ordered {
        poll(member, now)
        for destination in member.relay?.ordered ?? [] { poll(destination.member, now) }
      }
      for preload in session.preloads { poll(preload, now) }
    }
  }

  /// Does the work that is due for a user, and sets its next deadline.
  func poll(_ member: Member, _ now: Int) {
    if let relay = member.origin { return pollRelayed(member, relay, now) }
    let isCut = member.peer == nil
    let dropTime = configuration.dropTimes.nanoseconds(member.channel.profile)
    if now &- member.heardNanoseconds >= dropTime {
      ownCounters.drops += 1
      ReachPoints.note(.userDropped)
      if isCut {
        remove(member, .dropped, "the user has not returned in time")
      } else {
        expel(member, .general, .keepAliveTimeout, "the relay has had no packet of the user in time", now)
      }
      return
    }
    if var own = member.ownGrant, !isCut {
      let hasEnded = check(&own, of: member.channel.name, member.session.connection, now)
      member.ownGrant = own
      if hasEnded {
        // A session without another token ends with it, and reports the end of both.
        if member === lender(of: member.session) { poll(member.session, now) }
        guard member.peer != nil else { return }
        post(
          .failed(
            FailureReport(
              channel: member.channel.name, code: .tokenExpired, reason: .tokenExpired,
              sentence: "the token of the channel has expired; renew it and join again")),
          to: member.session.connection)
        cut(member, now)
        return
      }
    }
    let appearance = MemberAppearance(member)
    member.report.announceQuality(userCount: member.channel.ordered.count, nowNanoseconds: now)
    announceChange(member, since: member.unannounced?.appearance ?? appearance, now)
    reportSpeakers(to: member, now)
    if let peer = member.peer { member.channel.forwarder.poll(peer, now) }
    // Work that stays due must not keep `poll` from its end.
    schedule(member, earliest: now &+ 1_000_000)
  }

  /// Sets the next deadline of a user, and reports its rights to its forwarder.
  func schedule(_ member: Member, earliest: Int = .min) {
    var next = Int.max
    if let relay = member.origin {
      if let time = relayDeadlineNanoseconds(member, relay) { next = time }
    } else {
      next = member.heardNanoseconds &+ configuration.dropTimes.nanoseconds(member.channel.profile)
    }
    if let time = member.report.deadlineNanoseconds { next = min(next, time) }
    if let time = member.unannounced?.reportNanoseconds { next = min(next, time) }
    if let time = member.speakerReport.dueNanoseconds { next = min(next, time) }
    member.allowMedia()
    if let peer = member.peer {
      if let own = member.ownGrant, let time = deadline(own) { next = min(next, time) }
      member.channel.forwarder.schedule(peer)
    }
    deadlines.set(member, next == .max ? nil : max(next, earliest))
  }

  // MARK: Drain

  /// Moves the clients to other relays: no new sessions from now on, and the end of all of them after a time.
  public func drain(nowNanoseconds now: Int) {
    guard drainEndNanoseconds == nil else { return }
    defer { endCall(now) }
    drainEndNanoseconds = now &+ configuration.drainNanoseconds
    guard !configuration.alternativeRelays.isEmpty else { return }
    let event = MoveEvent(
      relays: Array(configuration.alternativeRelays.prefix(MessageLimits.relayCount)),
      milliseconds: Int64(configuration.drainNanoseconds / 1_000_000))
    for connection in connections.values.sorted(by: { $0.id < $1.id }) {
      guard let session = connection.session else { continue }
      session.isMoving = true
      post(.moveTo(event), to: connection)
    }
  }

  /// Ends the session of a client that has moved to another relay.
  ///
  /// The others get no report: they move too, and find the user there. The session could not return, because a drain
  /// refuses every `hello`.
  func endMoved(_ session: Session, _ now: Int) {
    for member in session.ordered {
      closeMedia(member, now)
      remove(member, nil, "the client has moved to another relay")
    }
  }

  /// Whether a drain has ended every session.
  public var isDrained: Bool { drainEndNanoseconds == .max }

  private func endDrain(_ now: Int) {
    drainEndNanoseconds = .max
    for member in sessions.ordered.flatMap(\.ordered) {
      closeMedia(member, now)
      remove(member, .dropped, "the relay ends")
    }
    for connection in connections.values.sorted(by: { $0.id < $1.id }) {
      disconnect(connection, Closing.goingAway, "the relay ends")
    }
  }
}
