internal import Signalling
internal import WebRTC

/// Media connections ahead of a join.
extension RelayCore {
  /// Makes the media connection of a later join. A preload of the same channel and user ends, and so does the oldest
  /// of too many.
  func preload(_ request: PreloadRequest, _ session: Session, _ now: Int) {
    do throws(Refusal) {
      let grant = try ownGrant(request.token, session, now) ?? session.grant
      do throws(TokenError) { try grant.check(request.channel, request.user, .audience, publishes: false) } catch {
        throw .token(error)
      }
      let key = ChannelKey(app: session.app, name: request.channel)
      let forwarder = forwarder(of: key, now)
      let terms = try terms(.transport(request.transport), forwarder)
      forwarder.enter()
      let peer = forwarder.makePeer(terms, now)
      let preload = Preload(request, session, grant, forwarder, peer)
      placement.add(preloadOf: key, at: forwarder.index)
      peer.preload = preload
      for former in session.preloads where former.channel == request.channel && former.user == request.user {
        end(former, now)
      }
      session.preloads.append(preload)
      if session.preloads.count > Preload.largestCount { end(session.preloads[0], now) }
      schedule(preload)
      post(
        .preloaded(PreloadedAnswer(id: request.id, channel: request.channel, transport: describe(peer, forwarder))),
        to: session.connection)
    } catch {
      refuse(
        session.connection, error.report(id: request.id, channel: request.channel, keepsState: true),
        user: request.user, role: .audience)
    }
  }

  /// Returns the preload that a join takes over; nil if the join does not ask for one, or if none fits.
  func preload(for request: JoinRequest, _ grant: TokenGrant, _ session: Session) -> Preload? {
    guard request.preloaded, case .transport = request.media else { return nil }
    return session.preloads.first { $0.fits(request, grant) }
  }

  /// Gives the media connection of a preload to a member.
  func take(over preload: Preload, _ member: Member) {
    forget(preload)
    preload.peer.user = member.media
    member.peer = preload.peer
    ownCounters.preloadedJoins += 1
  }

  // MARK: Time

  /// Does the work that is due for a preload, and sets its next deadline.
  func poll(_ preload: Preload, _ now: Int) {
    if let token = preload.grant.token, milliseconds(until: token, now) == 0 {
      end(preload, now)
      return
    }
    schedule(preload)
  }

  /// Sets the next deadline of a preload.
  private func schedule(_ preload: Preload) {
    deadlines.set(preload, preload.grant.token.map { clock.nanoseconds(atSeconds: $0.expires) })
    preload.forwarder.schedule(preload.peer)
  }

  // MARK: Ends

  /// Ends a preload without a report: the client finds the end in its media connection, or at its join.
  func end(_ preload: Preload, _ now: Int) {
    preload.forwarder.close(preload.peer, now)
    forget(preload)
  }

  func endPreloads(of session: Session, _ now: Int) { for preload in session.preloads { end(preload, now) } }

  /// Drops the preloads of a session at the end of its connection, without a notice to their other ends.
  func dropPreloads(of session: Session) {
    for preload in session.preloads {
      forget(preload)
      preload.forwarder.remove(preload.peer)
    }
  }

  private func forget(_ preload: Preload) {
    preload.peer.preload = nil
    placement.remove(preloadOf: ChannelKey(app: preload.session.app, name: preload.channel))
    preload.session.preloads.removeAll { $0 === preload }
    deadlines.remove(preload)
  }
}
