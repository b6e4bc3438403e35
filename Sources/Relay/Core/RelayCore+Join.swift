internal import Cryptography
internal import Signalling

extension RelayCore {
  /// Takes a user into a channel. A user that is there already gets a new media connection.
  func join(_ request: JoinRequest, _ session: Session, _ now: Int) {
    do throws(Refusal) {
      let own = try ownGrant(request.token, session, now) ?? continuingGrant(request, session, now)
      let grant = own ?? session.grant
      do throws(TokenError) {
        // In a profile with roles, the audience does not publish, whatever it asks for.
        let publishes = request.publishes && (!request.profile.hasRoles || request.role == .broadcaster)
        try grant.check(request.channel, request.user, request.role, publishes: publishes)
      } catch {
        throw .token(error)
      }
      try checkBan(request.user, with: grant, session.app, session: session.id, on: nil, now)
      let key = ChannelKey(app: session.app, name: request.channel)
      let forwarder = forwarder(of: key, now)
      let media: JoinMedia
      if let preload = preload(for: request, grant, session) {
        media = .preload(preload)
      } else {
        media = .terms(try terms(request.media, forwarder))
      }
      let channel = try channel(request, key, forwarder)
      // An empty channel must not stay behind a refusal.
      defer { if channel.members.isEmpty { channels[channel.key] = nil } }
      let uid = try uid(request.user, in: channel)
      if let former = session.members[request.channel] {
        guard former.uid == uid else {
          throw .state(.alreadyInChannel, "the session is in the channel as uid \(former.uid); leave it first")
        }
        try checkLimits(request, channel, grant, replacing: former)
        rejoin(former, request, own, media, now)
        return
      }
      guard session.members.count < configuration.limits.channelsPerSession else {
        throw .limit("the session is in too many channels", .channels(configuration.limits))
      }
      try checkLimits(request, channel, grant, replacing: channel.members[uid])
      if let other = channel.members[uid] {
        // A relayed user cannot join again, as another one can.
        guard other.origin == nil || proved(request.user, by: grant) != nil || !isProved(other) else {
          throw .state(.user, "the uid is that of a user whose token names it; join as another user")
        }
        replace(other)
      }
      enter(Member(uid, account(request.user), session, channel, nowNanoseconds: now), request, own, media, now)
    } catch {
      refuse(request, session, error.report(id: request.id, channel: request.channel))
    }
  }

  /// Returns the grant of a request's own token; nil without one.
  func ownGrant(_ text: SecretText?, _ session: Session, _ now: Int) throws(Refusal) -> TokenGrant? {
    guard let text else { return nil }
    do throws(TokenError) { return try verify(text, session.app, now) } catch {
      throw .token(error)
    }
  }

  private func channel(
    _ request: JoinRequest, _ key: ChannelKey, _ forwarder: Forwarder
  ) throws(Refusal) -> Channel {
    if let channel = channels[key] {
      // The audio of other channels' users does not choose it.
      if channel.hasRelayedUsersOnly { channel.profile = request.profile }
      guard channel.profile == request.profile else {
        throw .argument("the channel has the profile \(channel.profile.name); join with that profile")
      }
      return channel
    }
    guard channels.count < configuration.limits.channels else {
      throw .limit("the relay has too many channels", .allChannels(configuration.limits))
    }
    let channel = Channel(key, request.profile, forwarder)
    channels[key] = channel
    return channel
  }

  private func checkLimits(
    _ request: JoinRequest, _ channel: Channel, _ grant: TokenGrant, replacing former: Member?
  ) throws(Refusal) {
    guard !grant.rights.contains(.hidden) else { return }
    let publishes = channel.profile.hasRoles ? request.role == .broadcaster : request.publishes
    try checkLimits(
      channel, addsUser: former.map { $0.rights.contains(.hidden) } ?? true,
      addsPublisher: publishes && former?.countsAsPublisher != true)
  }

  /// Refuses a user or a publisher beyond the limits of a channel.
  func checkLimits(_ channel: Channel, addsUser: Bool, addsPublisher: Bool) throws(Refusal) {
    let limits = configuration.limits
    guard !addsUser || channel.userCount < limits.usersPerChannel else {
      throw .limit("the channel has too many users", .users(limits))
    }
    guard !addsPublisher || channel.publisherCount < limits.publishersPerChannel else {
      throw .publishers(.publishers(limits))
    }
  }

  func account(_ user: UserIdentity?) -> UserAccount? {
    if case .account(let account) = user { account } else { nil }
  }

  /// Returns the uid of an account, one for all channels. It depends on the relay's secret only, so that it survives a
  /// restart.
  func derivedUID(_ account: UserAccount, _ app: AppID) -> UInt32 {
    let text = Array("uid\0\(app)\0\(account)".utf8)
    let key = secret
    let code = MessageDigest.sha256.authenticationCode(of: text.span, key: key.span)
    let uid = code[..<4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    return uid == 0 ? 1 : uid
  }

  /// Returns the uid of a join: for an account its derived one, or the next one if another user has that.
  func uid(_ user: UserIdentity, in channel: Channel) throws(Refusal) -> UInt32 {
    switch user {
    case .uid(0):
      var uid = uid(inNewChannel: user, channel.key.app)
      while uid == 0 || channel.members[uid] != nil { uid &+= 1 }
      return uid
    case .uid(let uid):
      if let member = channel.members[uid], let account = member.account {
        throw .state(.user, "the uid is that of account '\(account)'; join with the account or another uid")
      }
      return uid
    case .account(let account):
      if let uid = channel.uid(of: account) { return uid }
      var uid = uid(inNewChannel: user, channel.key.app)
      while uid == 0 || channel.members[uid] != nil { uid &+= 1 }
      return uid
    }
  }

  /// Returns the uid of a user in a channel without others.
  func uid(inNewChannel user: UserIdentity, _ app: AppID) -> UInt32 {
    switch user {
    case .uid(0): max(1, UInt32(truncatingIfNeeded: random()))
    case .uid(let uid): uid
    case .account(let account): derivedUID(account, app)
    }
  }

  // MARK: Members

  private func enter(
    _ member: Member, _ request: JoinRequest, _ own: TokenGrant?, _ media: JoinMedia, _ now: Int
  ) {
    take(request, own, member)
    member.channel.insert(member)
    member.session.members[request.channel] = member
    // A channel that a replaced user had emptied has left the table.
    channels[member.channel.key] = member.channel
    connect(member, media, takesData: request.data, now)
    announceWaiting(of: member.channel)
    answer(member, request, media)
    announce(member)
    poll(member, now)
  }

  private func rejoin(
    _ member: Member, _ request: JoinRequest, _ own: TokenGrant?, _ media: JoinMedia, _ now: Int
  ) {
    let before = MemberAppearance(member)
    disconnectMedia(member)
    member.heardNanoseconds = now
    member.options = [:]
    take(request, own, member)
    connect(member, media, takesData: request.data, now)
    member.stream.restart()
    answer(member, request, media)
    announceChange(member, since: before, now)
    poll(member, now)
  }

  private func take(_ request: JoinRequest, _ own: TokenGrant?, _ member: Member) {
    member.ownGrant = own
    member.info = request.info
    member.role = request.role
    member.wantsToPublish = request.publishes
    member.isMuted = false
    member.autoSubscribe = request.autoSubscribe
    member.wantedSpeakers = request.speakers.map { Int($0) }
    member.speakerReport = SpeakerReport(isWanted: request.speakerEvents)
  }

  private func answer(_ member: Member, _ request: JoinRequest, _ media: JoinMedia) {
    let users = member.channel.ordered.filter { $0 !== member && $0.isVisible }
    for user in users { connect(member, to: user) }
    guard let peer = member.peer else { return }
    let answer = JoinedAnswer(
      id: request.id, channel: request.channel, uid: member.uid, account: member.account,
      media: media.answer.map { .sdp(SecretText($0)) } ?? .transport(describe(peer, member.channel.forwarder)),
      ssrc: member.mayPublish ? peer.publishSSRC : nil,
      users: users.map { $0.user(for: member) }, preloaded: media.isPreloaded,
      dropMilliseconds: configuration.dropTimes.milliseconds(member.channel.profile),
      data: member.dataSources)
    member.media.data?.announced = answer.data
    let (first, rest) = answer.split()
    log("joined", member)
    post(.joined(first), to: member.session.connection)
    for user in rest { post(.userJoined(user), to: member.session.connection) }
  }

  /// Ends the session of a user that has joined again from elsewhere.
  func replace(_ member: Member) {
    let sentence = "another session has joined the channel as uid \(member.uid)"
    guard member.origin == nil else { return endRelay(of: member, .refused, sentence) }
    post(
      .failed(
        FailureReport(
          channel: member.channel.name, code: .refused, reason: .sameUserLogin, sentence: sentence)),
      to: member.session.connection)
    remove(member, .quit, sentence)
  }
}
