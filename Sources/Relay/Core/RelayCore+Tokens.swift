internal import Signalling

extension RelayCore {
  /// Takes a new token for the session, or for the member that joined with its own.
  func renew(_ request: RenewalRequest, _ session: Session, _ now: Int) {
    let member = request.channel.flatMap { session.members[$0] }
    if let channel = request.channel, member == nil {
      refuse(session.connection, notInChannel(request.id, channel))
      return
    }
    do throws(Refusal) {
      guard let grant = try ownGrant(request.token, session, now), let token = grant.token else { return }
      // The same token changes nothing.
      if !session.isExpired, session.lender == nil, grant.text == (member.map(\.ownGrant) ?? session.grant)?.text {
        return postRenewal(request, token, session, now)
      }
      let concerned = member.map { [$0] } ?? session.membersWithoutToken
      try check(grant, for: concerned)
      if member == nil, let user = session.identity ?? session.grant.token?.user, token.user != user,
        session.identity != nil || token.user != .uid(0)
      {
        throw .token(.otherUser(token.user, requested: user))
      }
      let returning = member == nil ? returning(to: grant, session) : []
      let changes = (concerned + returning).map { ($0, MemberAppearance($0)) }
      if let member {
        member.ownGrant = grant
      } else {
        session.grant = grant
        session.lender = nil
        session.isExpired = false
        for member in returning { member.ownGrant = nil }
      }
      // Behind the answer the client may send at once.
      for (member, _) in changes { announceData(member) }
      postRenewal(request, token, session, now)
      for (member, before) in changes {
        applyRights(member, since: before, now)
        poll(member, now)
      }
      // The token of a channel revives a session that has ended.
      if session.isExpired, let heir = heir(of: session, outliving: .min, now) { adopt(heir, session, now) }
      poll(session, now)
    } catch {
      refuse(session.connection, error.report(id: request.id, channel: request.channel, keepsState: true))
    }
  }

  func postRenewal(_ request: RenewalRequest, _ token: Token, _ session: Session, _ now: Int) {
    post(
      .tokenRenewed(
        RenewedAnswer(
          id: request.id, channel: request.channel,
          milliseconds: min(MessageLimits.milliseconds.upperBound, milliseconds(until: token, now)))),
      to: session.connection)
  }

  /// Refuses a grant that does not allow members to stay: for another channel or user, or for a lower role. A member
  /// that would count for a limit from now on is refused at the limit.
  ///
  /// Fewer rights are not a reason; they take effect with `applyRights`.
  func check(_ grant: TokenGrant, for members: [Member]) throws(Refusal) {
    guard let token = grant.token else { return }
    for member in members {
      do throws(TokenError) {
        try TokenVerifier.check(token, channel: member.channel.name, user: member.identity)
        if member.channel.profile.hasRoles { try TokenVerifier.check(token, role: member.role) }
      } catch {
        throw .token(error)
      }
      try checkLimits(
        member.channel, addsUser: member.rights.contains(.hidden) && !grant.rights.contains(.hidden),
        addsPublisher: member.countsAsPublisher(with: grant.rights) && !member.countsAsPublisher)
    }
  }

  /// Lets a change of rights take effect.
  func applyRights(_ member: Member, since before: MemberAppearance, _ now: Int) {
    member.allowMedia()
    announceData(member)
    announceChange(member, since: before, now)
    for publisher in member.channel.ordered { connect(member, to: publisher) }
  }

  /// Reports to a user that its token gives or takes the right to send messages of data streams.
  func announceData(_ member: Member) {
    guard let data = member.media.data, let sources = member.dataSources, sources != data.announced else { return }
    data.announced = sources
    post(
      .dataUpdated(DataUpdatedEvent(channel: member.channel.name, data: sources)), to: member.session.connection)
  }

  func milliseconds(until token: Token, _ now: Int) -> Int64 {
    max(0, token.expires &* 1_000 &- clock.milliseconds(now))
  }

  /// Time at which a grant needs attention; nil if it has no end.
  func deadline(_ grant: TokenGrant) -> Int? {
    guard let token = grant.token else { return nil }
    let end = clock.nanoseconds(atSeconds: token.expires)
    return grant.hasWarned ? end : end &- TokenGrant.warningNanoseconds
  }

  /// Warns about the end of a grant.
  ///
  /// - Returns: Whether the grant has ended.
  func check(_ grant: inout TokenGrant, of channel: ChannelName?, _ connection: Connection?, _ now: Int) -> Bool {
    guard let token = grant.token else { return false }
    let left = milliseconds(until: token, now)
    if left > 0, !grant.hasWarned, left <= Int64(TokenGrant.warningNanoseconds / 1_000_000) {
      grant.hasWarned = true
      post(.tokenWillExpire(TokenExpiryEvent(channel: channel, milliseconds: left)), to: connection)
    }
    return left == 0
  }

  /// Does the work that is due for a session: the warning and the end of its token, or its own end without a token.
  func poll(_ session: Session, _ now: Int) {
    guard !session.isExpired else {
      deadlines.remove(session)
      return
    }
    if session.grant.token == nil {
      let end = session.beganNanoseconds &+ configuration.appIDOnlyNanoseconds
      if now >= end { endAppIDOnly(session, now) } else { deadlines.set(session, end) }
      return
    }
    if let token = session.grant.token, let time = deadline(session.grant), now >= time,
      let heir = heir(of: session, outliving: token.expires, now)
    {
      adopt(heir, session, now)
    }
    // The warning of an adopted token is that of its channel.
    let lender = lender(of: session)
    if check(&session.grant, of: nil, lender == nil ? session.connection : nil, now) {
      session.isExpired = true
      deadlines.remove(session)
      post(
        .failed(
          FailureReport(
            code: .tokenExpired, reason: .tokenExpired, sentence: "the token has expired; renew it and join again")),
        to: session.connection)
      for member in session.ordered where member.ownGrant == nil || (member === lender && member.peer != nil) {
        cut(member, now)
      }
      endPreloads(of: session, now)
      removeIfUnused(session)
    } else {
      deadlines.set(session, deadline(session.grant))
    }
  }

  /// Cuts the media of a user at the end of its token. The user stays for the time of the profile, without a report to
  /// the others, so that a new token continues it.
  func cut(_ member: Member, _ now: Int) {
    closeMedia(member, now)
    endRelays(of: member, .quit, "the token of the user's own channel has ended")
    member.heardNanoseconds = now
    poll(member, now)
  }

  private func endAppIDOnly(_ session: Session, _ now: Int) {
    post(
      .failed(
        FailureReport(
          code: .refused, reason: .leave, sentence: "a session without a token ends after its time; begin another one")),
      to: session.connection)
    for member in session.ordered {
      closeMedia(member, now)
      remove(member, .quit, "a session without a token ends after its time")
    }
    session.isExpired = true
    deadlines.remove(session)
    endPreloads(of: session, now)
  }
}
