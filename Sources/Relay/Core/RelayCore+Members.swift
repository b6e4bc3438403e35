internal import NetworkIO
internal import Signalling
internal import WebRTC

extension RelayCore {
  // MARK: Announcements

  /// Reports a new user to the others, and connects them.
  func announce(_ member: Member) {
    guard member.isVisible else { return }
    for listener in member.channel.ordered where listener !== member {
      connect(listener, to: member)
      post(
        .userJoined(UserJoinedEvent(channel: member.channel.name, user: member.user(for: listener))),
        to: listener.session.connection)
    }
  }

  /// Parts a user from its listeners, and reports its end to them, if it has a reason.
  func announceEnd(_ member: Member, _ reason: OfflineReason?) {
    for listener in member.channel.ordered where listener !== member {
      disconnect(listener, from: member)
      guard let reason else { continue }
      post(
        .userLeft(UserLeftEvent(channel: member.channel.name, uid: member.uid, reason: reason)),
        to: listener.session.connection)
    }
  }

  /// Reports the changes of a user to the others. A user that changes too often is reported later, with its state then:
  /// each report goes to all users of the channel.
  func announceChange(_ member: Member, since before: MemberAppearance, _ now: Int) {
    follow(member, now)
    let before = member.unannounced?.appearance ?? before
    member.unannounced = nil
    guard MemberAppearance(member) != before else { return }
    guard member.origin?.announcements.allows(at: Int64(now)) ?? member.announcements.allows(at: Int64(now)) else {
      ownCounters.delayedChanges += 1
      member.unannounced = (before, now &+ 100_000_000)
      schedule(member)
      return
    }
    announceNow(member, since: before)
  }

  /// Reports the changes that wait, before another user learns of the present state.
  func announceWaiting(of channel: Channel) {
    for member in channel.ordered {
      guard let before = member.unannounced?.appearance else { continue }
      member.unannounced = nil
      announceNow(member, since: before)
    }
  }

  private func announceNow(_ member: Member, since before: MemberAppearance) {
    switch (before.isVisible, member.isVisible) {
    case (false, false): return
    case (false, true):
      announce(member)
      return
    case (true, false):
      announceEnd(member, .becameAudience)
      return
    case (true, true): break
    }
    let muted = member.isMuted == before.isMuted ? nil : member.isMuted
    let publishes = member.publishes == before.publishes ? nil : member.publishes
    let music = member.report.playsMusic == before.playsMusic ? nil : member.report.playsMusic
    let quality = member.report.announcedQuality == before.quality ? nil : member.report.announcedQuality
    guard muted != nil || publishes != nil || music != nil || quality != nil else { return }
    for listener in member.channel.ordered where listener !== member {
      if let leg = listener.legs[member.uid] { place(leg, publishes: leg.isSubscribed && member.publishes) }
      post(
        .userUpdated(
          UserUpdatedEvent(
            channel: member.channel.name, uid: member.uid, muted: muted, publishes: publishes, music: music,
            quality: quality)),
        to: listener.session.connection)
    }
  }

  // MARK: Legs

  /// Assigns an SSRC for a user's packets to a listener that subscribes, or changes the present packets.
  ///
  /// - Returns: The SSRC, if it is new or was without effect before.
  @discardableResult
  func connect(_ listener: Member, to publisher: Member) -> UInt32? {
    guard let peer = listener.peer, peer.listens, listener !== publisher, publisher.isVisible else { return nil }
    let (subscribes, hears) = (listener.subscribes(to: publisher.uid), listener.hears(publisher.uid))
    publisher.channel.media.isChanged = true
    if let leg = listener.legs[publisher.uid] {
      let wasSubscribed = leg.isSubscribed
      leg.isSubscribed = subscribes
      leg.isActive = hears
      place(leg, publishes: subscribes && publisher.publishes)
      return subscribes && !wasSubscribed ? leg.ssrc : nil
    }
    guard subscribes else { return nil }
    let ssrc = peer.makeSSRC(publishes: publisher.publishes)
    let leg = ForwardingLeg(
      publisherUID: publisher.uid, publisher.stream, ssrc: ssrc, peer, isActive: hears, random: random())
    if let rewriter = peer.rewriter(of: ssrc) { leg.rewriter = rewriter }
    // The next packet of the channel chooses.
    leg.isChosen = listener.media.speakers.limit == nil
    listener.media.legs[publisher.uid] = leg
    peer.legs[leg.ssrc] = leg
    publisher.stream.add(leg)
    place(leg, publishes: publisher.publishes)
    return leg.ssrc
  }

  /// Gives the packets of a user a section of the listener's SDP, or takes it from a user that does not publish.
  private func place(_ leg: ForwardingLeg, publishes: Bool) {
    if publishes { leg.peer.place(leg) } else { leg.peer.displace(leg) }
  }

  private func disconnect(_ listener: Member, from publisher: Member) {
    guard let leg = listener.media.legs.removeValue(forKey: publisher.uid) else { return }
    leg.peer.legs[leg.ssrc] = nil
    leg.peer.end(leg)
    listener.media.speakers.legs.removeAll { $0 === leg }
    listener.media.speakers.news.change()
    publisher.stream.remove(leg)
  }

  // MARK: Media connections

  /// Creates the media connection of a member, or takes it over from a preload.
  ///
  /// - Parameter takesData: whether the client takes messages of data streams.
  func connect(_ member: Member, _ media: JoinMedia, takesData: Bool, _ now: Int) {
    let user = member.media
    user.joinNanoseconds = now
    user.isFlooding = false
    switch media {
    case .terms(let terms):
      let peer = member.channel.forwarder.makePeer(terms, now)
      peer.user = user
      user.peer = peer
    case .preload(let preload):
      take(over: preload, member)
      member.channel.forwarder.countJoin(user, now)
    }
    if takesData, media.answer == nil, let peer = user.peer {
      user.data = MediaData(peer, nowNanoseconds: now)
    }
    user.speakers = HeardSpeakers()
    user.channel = member.channel.media
    limitSpeakers(of: member)
    member.channel.media.add(user)
    member.allowMedia()
  }

  /// Limits the speakers that a user hears: to those of the channel, the app or the relay, or to fewer at the user's
  /// own request.
  func limitSpeakers(of member: Member) {
    // A recorder hears everybody.
    let app =
      member.rights.contains(.recorder)
      ? 0 : configuration.apps[member.session.app]?.speakers(in: member.channel.name) ?? configuration.limits.speakers
    let limits = [app == 0 ? nil : app, member.wantedSpeakers].compactMap(\.self)
    let media = member.media
    let former = media.speakers.limit
    media.speakers.limit = limits.min()
    media.speakers.explicit = member.options.filter { $0.value.subscribes == true }.keys.sorted().prefix(
      HeardSpeakers.namedCount
    ).map(\.self)
    member.channel.media.noteChange()
    if member.speakerReport.isWanted {
      // The next choice reports; without a limit there is none.
      media.speakers.news = media.speakers.limit == nil ? .known : .changed
      if media.speakers.limit == nil, member.speakerReport.known != nil { member.speakerReport.request() }
    }
    guard (media.speakers.limit == nil) != (former == nil) else { return }
    // With a limit the next packet of the channel chooses; without one, everybody is heard, behind a pause.
    for leg in media.legs.values where !leg.isChosen {
      leg.isChosen = true
      leg.rewriter.isInterrupted = true
      leg.stream.noteChoice()
    }
    media.speakers.legs = media.speakers.limit == nil ? [] : Array(media.legs.values)
  }

  /// Ends a member's media connection: packets pass neither from it nor to it.
  func disconnectMedia(_ member: Member) {
    guard let peer = member.peer else { return }
    // Messages so far count, later ones do not.
    member.heardNanoseconds = member.heardNanoseconds
    member.peer = nil
    peer.user = nil
    member.channel.media.remove(member.media)
    member.media.speakers.legs = []
    member.media.data = nil
    for leg in member.legs.values { member.channel.members[leg.publisherUID]?.stream.remove(leg) }
    member.media.legs = [:]
    peer.legs = [:]
    member.channel.forwarder.remove(peer)
  }

  /// Closes a member's media connection, and notifies its other end.
  func closeMedia(_ member: Member, _ now: Int) {
    guard let peer = member.peer else { return }
    member.channel.forwarder.close(peer, now)
    disconnectMedia(member)
  }

  // MARK: Ends

  /// Removes a user from its channel. Without a reason the others get no report; the sentence is for the log.
  func remove(_ member: Member, _ reason: OfflineReason?, _ sentence: String) {
    log("left", member, reason: sentence)
    let (channel, session) = (member.channel, member.session)
    endRelays(of: member, reason, sentence)
    if member.unannounced?.appearance.isVisible ?? member.isVisible { announceEnd(member, reason) }
    // Listeners may have subscribed before they were told of the user.
    for leg in member.stream.legs { if let listener = leg.peer.user?.member { disconnect(listener, from: member) } }
    disconnectMedia(member)
    unlink(member)
    deadlines.remove(member)
    channel.remove(member)
    session.members[channel.name] = nil
    if channel.members.isEmpty { channels[channel.key] = nil }
    removeIfUnused(session)
  }

  /// Takes a user out of its channel at its own request.
  func leave(_ request: LeaveRequest, _ session: Session, _ now: Int) {
    guard let member = session.members[request.channel] else {
      refuse(session.connection, notInChannel(request.id, request.channel))
      return
    }
    post(.left(LeftAnswer(id: request.id, channel: request.channel)), to: session.connection)
    closeMedia(member, now)
    remove(member, .quit, "the user has left the channel")
  }

  func notInChannel(_ id: UInt32, _ channel: ChannelName) -> FailureReport {
    FailureReport(
      id: id, channel: channel, code: .wrongState, sentence: "the session is not in the channel; join it first")
  }

  /// Ends a user's stay because of the relay, with a report to the user.
  func expel(_ member: Member, _ code: ChannelErrorCode, _ reason: ConnectionReason, _ sentence: String, _ now: Int) {
    reportEnd(member, code, reason, sentence)
    closeMedia(member, now)
    remove(member, .dropped, sentence)
  }

  /// Reports the end of a user's stay, or of its media, to the user.
  func reportEnd(_ member: Member, _ code: ChannelErrorCode, _ reason: ConnectionReason, _ sentence: String) {
    post(
      .failed(FailureReport(channel: member.channel.name, code: code, reason: reason, sentence: sentence)),
      to: member.session.connection)
  }
}
