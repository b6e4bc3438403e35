internal import NetworkIO
internal import Signalling

/// Users that are heard in other channels than their own.
extension RelayCore {
  /// A channel of a request, with all that a user there needs.
  private struct Accepted {
    let channel: ChannelName
    /// Grant of the channel's own token; nil if that of the session counts.
    let grant: TokenGrant?
    let user: UserIdentity
    /// Uid of a user that is new there; nil for one that stays.
    let newUID: UInt32?
  }

  /// Lets a user be heard in the channels of a request, and in no others: in all of them, or as before.
  func relayMedia(_ request: MediaRelayRequest, _ session: Session, _ now: Int) {
    guard let source = session.members[request.channel], source.peer != nil else {
      refuse(session.connection, notInChannel(request.id, request.channel))
      return
    }
    var destination: ChannelName?
    do throws(Refusal) {
      let relay = source.relay ?? MediaRelay(of: source)
      let own = try sourceGrant(request, source, now)
      var accepted: [Accepted] = []
      for wanted in request.destinations {
        destination = wanted.channel
        let newCount = accepted.count { channels[ChannelKey(app: session.app, name: $0.channel)] == nil }
        accepted.append(try accept(wanted, relay, own, newChannels: newCount, now))
      }
      destination = nil
      try countChanges(accepted.count { $0.newUID != nil }, session, now)
      (relay.grant, relay.isPaused) = (own, request.paused)
      take(accepted, relay, now)
      source.relay = relay.destinations.isEmpty ? nil : relay
      follow(source, now)
      post(
        .mediaRelayed(
          MediaRelayAnswer(
            id: request.id, channel: request.channel,
            destinations: request.destinations.compactMap { wanted in
              relay[wanted.channel].map { .init(channel: wanted.channel, uid: $0.member.uid) }
            })), to: session.connection)
    } catch {
      refuse(
        session.connection,
        error.report(id: request.id, channel: request.channel, destination: destination, keepsState: true))
    }
  }

  /// Checks that a user may be relayed at all. One that has become audience keeps its channels.
  ///
  /// - Returns: The grant of the request's own token; nil without one.
  private func sourceGrant(
    _ request: MediaRelayRequest, _ source: Member, _ now: Int
  ) throws(Refusal) -> TokenGrant? {
    guard !request.destinations.isEmpty else { return nil }
    guard source.mayPublish || source.relay != nil else {
      throw .state(
        .wrongState, "only a user that may publish relays its audio; become a broadcaster with the right 'publish'")
    }
    guard let own = try ownGrant(request.token, source.session, now), let token = own.token else { return nil }
    do throws(TokenError) { try TokenVerifier.check(token, channel: source.channel.name, user: source.identity) } catch
    {
      throw .token(error)
    }
    return own
  }

  private func accept(
    _ wanted: RelayDestination, _ relay: MediaRelay, _ own: TokenGrant?, newChannels: Int, _ now: Int
  ) throws(Refusal) -> Accepted {
    let session = relay.source.session
    let ownGrant = try ownGrant(wanted.token, session, now)
    let grant = ownGrant ?? session.grant
    let user = wanted.user ?? grant.token?.user ?? relay.source.identity
    do throws(TokenError) {
      try relay.check(wanted.channel, with: own)
      try grant.check(wanted.channel, user, .broadcaster, publishes: true)
    } catch {
      throw .token(error)
    }
    try checkBan(user, with: grant, session.app, session: session.id, on: nil, now)
    if relay.has(user, in: wanted.channel) {
      return Accepted(channel: wanted.channel, grant: ownGrant, user: user, newUID: nil)
    }
    // Each relayed user takes a publisher's place, and its changes go to everyone there.
    guard !session.members.values.contains(where: { $0 !== relay.source && $0.relay?[wanted.channel] != nil }) else {
      throw .state(
        .alreadyInChannel, "the session relays to the channel '\(wanted.channel)' from another one; end that first")
    }
    let key = ChannelKey(app: session.app, name: wanted.channel)
    let former = relay[wanted.channel]?.member
    var newUID: UInt32?
    if let channel = channels[key] {
      let uid = try uid(user, in: channel)
      guard !isTaken(uid, in: channel, by: user, with: grant) || channel.members[uid] === former else {
        throw .state(.user, "the channel '\(wanted.channel)' has uid \(uid) already; relay to it as another user")
      }
      try checkLimits(channel, addsUser: former == nil, addsPublisher: former == nil)
      newUID = uid
    } else {
      guard channels.count + newChannels < configuration.limits.channels else {
        throw .limit("the relay has too many channels", .allChannels(configuration.limits))
      }
      newUID = uid(inNewChannel: user, session.app)
    }
    return Accepted(channel: wanted.channel, grant: ownGrant, user: user, newUID: newUID)
  }

  /// Whether a uid is in use there. A token with the user's name takes it from a user without such a token.
  private func isTaken(_ uid: UInt32, in channel: Channel, by user: UserIdentity, with grant: TokenGrant) -> Bool {
    guard let member = channel.members[uid] else { return false }
    return proved(user, by: grant) == nil || isProved(member)
  }

  /// Whether the token of a user names it.
  func isProved(_ member: Member) -> Bool {
    proved(member.identity, by: member.ownGrant ?? member.session.grant) != nil
  }

  /// Refuses too many new destinations: all users of their channels hear of each.
  private func countChanges(_ count: Int, _ session: Session, _ now: Int) throws(Refusal) {
    for _ in 0..<count where !session.relayChanges.allows(at: Int64(now)) {
      throw .state(.tooOften, "the session relays to other channels too often; request it later")
    }
  }

  private func take(_ accepted: [Accepted], _ relay: MediaRelay, _ now: Int) {
    for destination in relay.ordered {
      let channel = destination.member.channel.name
      if !accepted.contains(where: { $0.channel == channel && $0.newUID == nil }) {
        remove(destination.member, .quit, "the user is no longer relayed to the channel")
      }
    }
    for destination in accepted {
      if let uid = destination.newUID {
        enter(destination, uid, relay, now)
      } else if let member = relay[destination.channel]?.member {
        member.ownGrant = destination.grant
        schedule(member)
      }
    }
  }

  /// Takes a user into another channel than its own.
  private func enter(_ accepted: Accepted, _ uid: UInt32, _ relay: MediaRelay, _ now: Int) {
    let source = relay.source
    let key = ChannelKey(app: source.session.app, name: accepted.channel)
    let channel = channels[key] ?? Channel(key, source.channel.profile, forwarder(of: key, now))
    channels[key] = channel
    if let other = channel.members[uid] { replace(other) }
    // A channel that the replaced user had emptied has left the table.
    channels[key] = channel
    let session = Session("", app: key.app, identity: nil, source.session.grant, nowNanoseconds: now)
    session.client = source.session.client
    let member = Member(uid, account(accepted.user), session, channel, nowNanoseconds: now)
    member.origin = relay
    member.ownGrant = accepted.grant
    member.info = "relayed from '\(source.channel.name)'"
    channel.insert(member)
    let media = member.media
    media.channel = channel.media
    channel.media.add(media)
    let link = channel.forwarder.relayedUsers.add(media, at: channel.forwarder)
    relay.insert(MediaRelay.Destination(member: member, session: session, link: link))
    source.media.links.append(link)
    take(over: source, member)
    log("joined", member)
    announceWaiting(of: channel)
    announce(member)
    schedule(member)
  }

  // MARK: Changes

  /// Lets a user be in other channels as it is in its own: after each change of the user.
  func follow(_ source: Member, _ now: Int) {
    guard let relay = source.relay else { return }
    for destination in relay.ordered {
      let member = destination.member
      do throws(TokenError) { try relay.check(member.channel.name, with: relay.grant) } catch {
        endRelay(of: member, error.code, "\(error)", isOfSource: true)
        continue
      }
      let (before, counted) = (MemberAppearance(member), member.countsAsPublisher)
      destination.session.grant = source.session.grant
      take(over: source, member)
      if !counted, member.countsAsPublisher,
        member.channel.publisherCount > configuration.limits.publishersPerChannel
      {
        // Others have not heard of its return.
        (member.role, member.wantsToPublish) = (.audience, false)
        endRelay(of: member, .refused, "the channel has the maximum number of publishers; relay to it later")
        continue
      }
      if before.publishes, !member.publishes || member.isMuted {
        member.stream.interrupt()
        // Its listeners report nothing from now on.
        destination.link.loss = nil
      }
      guard MemberAppearance(member) != before else { continue }
      announceChange(member, since: before, now)
      schedule(member)
    }
  }

  /// Takes the state of a user into another channel.
  private func take(over source: Member, _ member: Member) {
    member.role = source.mayPublish ? .broadcaster : .audience
    member.wantsToPublish = source.publishes
    member.isMuted = source.isMuted || member.origin?.isPaused == true
    member.report.playsMusic = source.report.playsMusic
    member.allowMedia()
  }

  /// Does the work that is due for a user in another channel than its own, and sets its next deadline.
  func pollRelayed(_ member: Member, _ relay: MediaRelay, _ now: Int) {
    if let token = relay.grant?.token, milliseconds(until: token, now) == 0 {
      endRelay(
        of: member, .tokenExpired, "the token with the right to relay has expired; relay with another one",
        isOfSource: true)
      return
    }
    if let token = (member.ownGrant ?? relay.source.session.grant).token, milliseconds(until: token, now) == 0 {
      endRelay(
        of: member, .tokenExpired,
        "the token of channel '\(member.channel.name)' has expired; relay to it with another one")
      return
    }
    if let before = member.unannounced?.appearance { announceChange(member, since: before, now) }
    schedule(member, earliest: now &+ 1_000_000)
  }

  /// Time of the end of a relayed user's tokens; nil without one.
  func relayDeadlineNanoseconds(_ member: Member, _ relay: MediaRelay) -> Int? {
    let tokens = [(member.ownGrant ?? relay.source.session.grant).token, relay.grant?.token]
    return tokens.compactMap { $0.map { clock.nanoseconds(atSeconds: $0.expires) } }.min()
  }

  // MARK: Ends

  /// Ends the relay of a user to a channel, and notifies its client.
  ///
  /// - Parameter isOfSource: whether the reason is a token of the user's own channel.
  func endRelay(of member: Member, _ code: ChannelErrorCode, _ sentence: String, isOfSource: Bool = false) {
    guard let source = member.origin?.source else { return }
    post(
      .mediaRelayEnded(
        MediaRelayEndedEvent(
          channel: source.channel.name, destination: member.channel.name, code: code, sentence: sentence,
          isOfSource: isOfSource)),
      to: source.session.connection)
    remove(member, .quit, sentence)
  }

  /// Ends the relay of a user to all channels.
  func endRelays(of source: Member, _ reason: OfflineReason?, _ sentence: String) {
    for destination in source.relay?.ordered ?? [] { remove(destination.member, reason, sentence) }
  }

  /// Parts a user in another channel from its own one.
  func unlink(_ member: Member) {
    guard let relay = member.origin, let destination = relay.remove(member.channel.name) else { return }
    member.channel.forwarder.enter()
    member.channel.forwarder.relayedUsers.remove(destination.link)
    member.channel.media.remove(member.media)
    relay.source.media.links.removeAll { $0 === destination.link }
    if relay.destinations.isEmpty { relay.source.relay = nil }
  }
}
