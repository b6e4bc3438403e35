public import Platform
internal import Signalling
internal import Synchronization
internal import WebRTC

extension RelayCore {
  /// Takes a datagram of a media port. Datagrams that belong to no session are dropped in silence.
  ///
  /// - Parameters:
  ///   - datagram: bytes; a packet is decrypted in place.
  ///   - source: its source.
  ///   - local: number of the local socket; answers leave from there.
  ///   - worker: number of the worker with that port, below the configuration's count.
  ///   - now: time of the call, in nanoseconds of the caller's clock.
  public func received(
    datagram: UnsafeMutableRawBufferPointer, from source: SocketAddress, local: Int, worker: Int = 0,
    nowNanoseconds now: Int
  ) {
    leaveMedia()
    let forwarder = forwarders[worker]
    forwarder.lock.hold {
      forwarder.received(datagram: datagram, from: source, local: local, nowNanoseconds: now)
    }
    for other in forwarders where !other.relayedPackets.isEmpty {
      other.lock.hold { other.takeRelayedPackets(nowNanoseconds: now) }
    }
    endCall(now)
  }

  /// Takes the events of the forwarders.
  func takeMediaEvents(nowNanoseconds now: Int) { endCall(now) }

  /// Ends a call from outside: takes the events of the forwarders, and lets them go on.
  func endCall(_ now: Int) {
    while let forwarder = forwarders.first(where: \.hasEvents) {
      while true {
        // The event before may have led to another forwarder.
        forwarder.enter()
        guard let event = forwarder.takeEvent() else { break }
        take(event, now)
      }
    }
    leaveMedia()
  }

  private func take(_ event: ForwarderEvent, _ now: Int) {
    switch event {
    case .ended(let peer, let error):
      if let preload = peer.preload { end(preload, now) }
      guard let member = peer.user?.member else { return }
      ReachPoints.note(.mediaEnded)
      let sentence = "the media connection has ended: \(error)"
      if error == .consentLost, outlivesConsent(member, now) {
        reportEnd(member, .general, .keepAliveTimeout, sentence)
        disconnectMedia(member)
        poll(member, now)
      } else {
        expel(member, .general, .keepAliveTimeout, sentence, now)
      }
    case .speakers(let peer): if let member = peer.user?.member { noteSpeakers(of: member, now) }
    case .flooded(let peer):
      guard let member = peer.user?.member else { return }
      ban(member.identity, with: member.ownGrant ?? member.session.grant, member.session, now)
      expel(member, .refused, .bannedByServer, "the user sends packets without the right to publish", now)
    }
  }

  /// Whether a user stays without a media connection: consent ends after 30 s, and its drop time may be longer.
  private func outlivesConsent(_ member: Member, _ now: Int) -> Bool {
    let time = configuration.dropTimes.nanoseconds(member.channel.profile)
    return time > ICELiteAgent.consentNanoseconds && now &- member.heardNanoseconds < time
  }

  /// Returns the forwarder of a channel: that of its users or preloads, or the one with the fewest packets.
  func forwarder(of key: ChannelKey, _ now: Int) -> Forwarder {
    if let channel = channels[key] { return channel.forwarder }
    noteLoads(nowNanoseconds: now)
    return forwarders[placement.place(key, now)]
  }

  /// Counts the packets of the forwarders, at most once in a second; to be called each second.
  func noteLoads(nowNanoseconds now: Int) {
    guard placement.needsLook(now) else { return }
    placement.note(forwarders.map { $0.packetCount.load(ordering: .relaxed) }, nowNanoseconds: now)
  }
}
