internal import Signalling

extension RelayCore {
  /// Changes a member's role, publication or subscriptions.
  func update(_ request: UpdateRequest, _ session: Session, _ now: Int) {
    guard let member = session.members[request.channel], let peer = member.peer else {
      refuse(session.connection, notInChannel(request.id, request.channel))
      return
    }
    do throws(Refusal) { try checkRights(request, member) } catch {
      refuse(session.connection, error.report(id: request.id, channel: request.channel, keepsState: true))
      return
    }
    let before = MemberAppearance(member)
    if let role = request.role { member.role = role }
    if let publishes = request.publishes { member.wantsToPublish = publishes }
    if let muted = request.muted { member.isMuted = muted }
    if let music = request.music { member.report.playsMusic = music }
    if let quality = request.quality {
      member.report.quality = quality
      member.report.announceQuality(userCount: member.channel.ordered.count, nowNanoseconds: now)
    }
    if let speakers = request.speakers { member.wantedSpeakers = speakers == 0 ? nil : Int(speakers) }
    if let autoSubscribe = request.autoSubscribe { member.autoSubscribe = autoSubscribe }
    for user in request.users {
      // Options of as many users as a channel has, or as two lists of a client name.
      let isKnown = member.options[user.uid] != nil
      guard isKnown || member.options.count < max(configuration.limits.usersPerChannel, 1_000) else { break }
      var options = member.options[user.uid] ?? Member.Options()
      options.subscribes = user.subscribes ?? (user.automatic ? nil : options.subscribes)
      options.muted = user.muted ?? options.muted
      // Options that say nothing take no place.
      member.options[user.uid] = options == Member.Options() ? nil : options
    }
    if request.speakers != nil || !request.users.isEmpty { limitSpeakers(of: member) }
    if before.publishes, !member.publishes || member.isMuted { member.stream.interrupt() }
    post(
      .updated(
        UpdatedAnswer(
          id: request.id, channel: request.channel, ssrc: member.mayPublish ? peer.publishSSRC : nil)),
      to: session.connection)
    announceChange(member, since: before, now)
    schedule(member)
    let listensAnew = request.role != nil || request.autoSubscribe != nil
    let named = request.users.lazy.compactMap { member.channel.members[$0.uid] }
    for user in listensAnew ? member.channel.ordered : Array(named) {
      guard let ssrc = connect(member, to: user) else { continue }
      post(
        .userUpdated(UserUpdatedEvent(channel: request.channel, uid: user.uid, ssrc: ssrc)), to: session.connection)
    }
  }

  private func checkRights(_ request: UpdateRequest, _ member: Member) throws(Refusal) {
    guard let token = (member.ownGrant ?? member.session.grant).token else {
      try checkLimits(request, member)
      return
    }
    do throws(TokenError) {
      if let role = request.role { try TokenVerifier.check(token, role: role) }
      if request.publishes == true { try TokenVerifier.check(token, rights: .publish) }
    } catch {
      throw .token(error)
    }
    try checkLimits(request, member)
  }

  private func checkLimits(_ request: UpdateRequest, _ member: Member) throws(Refusal) {
    let becomes = member.channel.profile.hasRoles ? request.role == .broadcaster : request.publishes == true
    try checkLimits(member.channel, addsUser: false, addsPublisher: becomes && !member.countsAsPublisher)
  }
}
