public import Platform
import Signalling

extension RelayCore {
  /// Uses other settings from now on, without a break for the users that may stay.
  ///
  /// The sessions of a removed app end with `failed`, and their connections with code 1008. So do sessions without a
  /// token if their app now requires one. A token of a removed secret ends as an expired one does, with code -110: its
  /// media is cut, and a new token continues the session. Limits count for later requests, drop times at once. Media
  /// addresses and the secret of resume tokens stay.
  ///
  /// - Parameters:
  ///   - configuration: all settings.
  ///   - now: present time of the monotonic clock, in nanoseconds.
  public func reconfigure(_ configuration: RelayConfiguration, nowNanoseconds now: Int) {
    var configuration = configuration
    configuration.mediaAddresses = self.configuration.mediaAddresses
    configuration.workerCount = self.configuration.workerCount
    configuration.resumeSecret = self.configuration.resumeSecret
    defer { endCall(now) }
    self.configuration = configuration
    for forwarder in forwarders {
      forwarder.enter()
      forwarder.limits = configuration.limits
    }
    let all = sessions.ordered
    end(all.compactMap { session in refusal(of: session).map { (session, $0) } }, now)
    for session in all where sessions[session.id] === session {
      revokeTokens(session, now)
      guard sessions[session.id] === session else { continue }
      poll(session, now)
      for member in session.ordered {
        limitSpeakers(of: member)
        poll(member, now)
      }
    }
  }

  /// Offers other addresses for media to later joins.
  public func offer(_ mediaAddresses: [SocketAddress]) { configuration.mediaAddresses = mediaAddresses }

  /// Returns the reason why a session cannot stay; nil if it can.
  private func refusal(of session: Session) -> Refusal? {
    guard let app = configuration.apps[session.app] else {
      return .app("the relay no longer serves the app; connect to another relay")
    }
    guard session.grant.token == nil, !app.allowsAppIDOnly else { return nil }
    return .app("the relay now requires a token for the app; begin a session with one")
  }

  /// Ends sessions: first every client gets its report, so that none hears of the others' ends.
  private func end(_ ended: [(session: Session, refusal: Refusal)], _ now: Int) {
    for (session, refusal) in ended {
      guard let connection = session.connection else { continue }
      post(.failed(refusal.report(id: nil)), to: connection)
      disconnect(connection, Closing.policy, "the session is no longer allowed")
    }
    for (session, refusal) in ended {
      for member in session.ordered {
        closeMedia(member, now)
        remove(member, .dropped, refusal.report(id: nil).sentence)
      }
    }
  }

  // MARK: Tokens

  /// Ends the tokens of a session that a removed secret has signed.
  private func revokeTokens(_ session: Session, _ now: Int) {
    if !session.isExpired, isRevoked(session.grant, session.app),
      let heir = heir(of: session, outliving: .min, now)
    {
      adopt(heir, session, now)
    }
    for preload in session.preloads where isRevoked(preload.grant, session.app) { end(preload, now) }
    for destination in session.ordered.flatMap({ $0.relay?.ordered ?? [] }) {
      let relay = destination.member.origin
      guard
        [destination.member.ownGrant ?? session.grant, relay?.grant].contains(where: {
          $0.map { isRevoked($0, session.app) } == true
        })
      else { continue }
      endRelay(
        of: destination.member, .invalidToken,
        "the app no longer has the secret of the token; relay to the channel with another one")
    }
    for member in session.ordered where member.peer != nil {
      guard let own = member.ownGrant, isRevoked(own, session.app) else { continue }
      postRevocation(of: member.channel.name, session)
      cut(member, now)
    }
    guard !session.isExpired, isRevoked(session.grant, session.app) else { return }
    session.isExpired = true
    deadlines.remove(session)
    postRevocation(of: nil, session)
    for member in session.ordered where member.ownGrant == nil { cut(member, now) }
    endPreloads(of: session, now)
    removeIfUnused(session)
  }

  func isRevoked(_ grant: TokenGrant, _ app: AppID) -> Bool {
    guard let secret = grant.secret else { return false }
    return configuration.apps[app]?.verifier?.has(secret) != true
  }

  private func postRevocation(of channel: ChannelName?, _ session: Session) {
    post(
      .failed(
        FailureReport(
          channel: channel, code: .invalidToken, reason: .invalidToken,
          sentence: "the app no longer has the secret of the token; renew the token and join again")),
      to: session.connection)
  }
}
