internal import Cryptography
internal import Platform
internal import Signalling

extension RelayCore {
  /// Begins a session, or takes up an earlier one.
  func hello(_ request: HelloRequest, on connection: Connection, _ now: Int) {
    (connection.client.info, connection.client.software) = (request.info, request.software)
    guard connection.session?.isExpired != false else {
      refuse(
        connection,
        FailureReport(id: request.id, code: .wrongState, sentence: "the connection has a session; open another one"))
      return
    }
    guard drainEndNanoseconds == nil else {
      refuse(
        connection,
        FailureReport(
          id: request.id, code: .refused, reason: .rejected,
          sentence: "the relay ends soon and takes no new sessions; connect to another one", cause: .draining))
      return
    }
    do throws(Refusal) {
      let (app, grant) = try authenticate(request.credential, now)
      let identity = try identity(request.user, grant)
      let resume = request.resume.flatMap {
        ResumeToken(
          reading: $0, app: app, user: identity ?? grant.token?.user, key: secret,
          nowMilliseconds: clock.milliseconds(now))
      }
      try checkBan(
        identity ?? grant.token?.user, with: grant, app, session: resume?.session, on: connection, now)
      let resumed = resume.flatMap { session(of: $0, app) }
      if let resumed { try check(grant, for: resumed.membersWithoutToken.filter { grant.isFor($0) }) }
      connection.session.map { former in
        former.connection = nil
        connection.session = nil
        connection.sessionlessNanoseconds = now
        deadlines.set(connection, now &+ configuration.helloNanoseconds)
        if former !== resumed { removeIfUnused(former) }
      }
      begin(request, resume, app, identity, grant, on: connection, now)
    } catch {
      refuse(connection, error.report(id: request.id), user: request.user)
    }
  }

  /// Returns the user of a session: that of the token, or of `hello` for an app id alone. A token for uid 0 proves no
  /// user.
  private func identity(_ user: UserIdentity?, _ grant: TokenGrant) throws(Refusal) -> UserIdentity? {
    guard let named = grant.token?.user else { return user }
    guard named != .uid(0) else { return nil }
    guard let user, user != named else { return named }
    throw .token(.otherUser(named, requested: user))
  }

  /// Returns the earlier session of a resume token, if it is still there.
  private func session(of resume: ResumeToken, _ app: AppID) -> Session? {
    sessions[resume.session].flatMap { $0.app == app ? $0 : nil }
  }

  private func begin(
    _ request: HelloRequest, _ resume: ResumeToken?, _ app: AppID, _ identity: UserIdentity?, _ grant: TokenGrant,
    on connection: Connection, _ now: Int
  ) {
    let session: Session
    let former = resume.flatMap { self.session(of: $0, app) }
    if let former {
      ReachPoints.note(.sessionResumed)
      session = former
      take(up: former, grant, now)
    } else {
      if resume != nil { ReachPoints.note(.sessionUnknown) }
      guard sessions.count < configuration.limits.sessions else {
        refuse(
          connection,
          Refusal.limit("the relay has too many sessions", .sessions(configuration.limits))
            .report(id: request.id))
        return
      }
      let count = identity.map { sessions.identities.sessionCount(of: $0, in: app) } ?? 0
      guard count < configuration.limits.sessionsPerUser else {
        refuse(
          connection,
          Refusal.limit("the user has too many sessions", .sessionsOfUser(configuration.limits))
            .report(id: request.id))
        return
      }
      session = Session(
        resume?.session ?? makeSessionID(), app: app, identity: identity, grant, nowNanoseconds: now)
      sessions.insert(session)
    }
    session.connection = connection
    session.client = connection.client
    connection.session = session
    endWaiting(connection)
    deadlines.set(connection, now &+ 3 &* configuration.keepAliveNanoseconds)
    let token = ResumeToken(
      session: session.id, endMilliseconds: clock.milliseconds(now) &+ configuration.resumeMilliseconds)
    post(
      .welcome(
        WelcomeAnswer(
          id: request.id, session: session.id,
          resume: token.text(app: app, user: identity ?? grant.token?.user, key: secret),
          resumed: former != nil, time: clock.milliseconds(now),
          keepAliveMilliseconds: Int64(configuration.keepAliveNanoseconds / 1_000_000),
          limits: configuration.limits.named, uid: account(identity).map { derivedUID($0, app) })),
      to: connection)
    for member in session.ordered where member.ownGrant?.isInherited == true { schedule(member) }
    poll(session, now)
  }

  /// Takes an earlier session up with another token, and ends the connection that it may still have.
  private func take(up session: Session, _ grant: TokenGrant, _ now: Int) {
    let changes = session.ordered.map { ($0, MemberAppearance($0)) }
    let returning = returning(to: grant, session)
    // Members of other channels keep the token with which they have joined, until they join with one of their own.
    var former = session.grant
    former.isInherited = true
    for member in session.membersWithoutToken where !grant.isFor(member) { member.ownGrant = former }
    session.grant = grant
    session.lender = nil
    for member in returning { member.ownGrant = nil }
    // A preload ends with the connection of its session.
    endPreloads(of: session, now)
    if session.isExpired { session.beganNanoseconds = now }
    session.isExpired = false
    for (member, before) in changes { applyRights(member, since: before, now) }
    if let other = session.connection {
      ReachPoints.note(.sessionTakenOver)
      session.connection = nil
      other.session = nil
      disconnect(other, Closing.policy, "the session continues on another connection")
    }
    session.messageNanoseconds = now
  }

  private func makeSessionID() -> String {
    withUnsafeBytes(of: (random(), random())) { Base64URL.encode(Array($0).span) }
  }

  private func authenticate(_ credential: SessionCredential, _ now: Int) throws(Refusal) -> (AppID, TokenGrant) {
    switch credential {
    case .token(let text):
      do throws(TokenError) {
        let id = try TokenVerifier.claimedApp(in: text.text)
        return (id, try verify(text, id, now))
      } catch {
        throw .token(error)
      }
    case .app(let id):
      guard let app = configuration.apps[id] else { throw .app("the relay does not know the app; check its id") }
      guard app.allowsAppIDOnly else { throw .app("the relay requires a token for the app; send one") }
      return (id, TokenGrant(token: nil, text: nil, secret: nil))
    }
  }

  /// Checks a token of an app.
  func verify(_ text: SecretText, _ id: AppID, _ now: Int) throws(TokenError) -> TokenGrant {
    // An unknown app has no secret that could vouch for the token.
    guard let verifier = configuration.apps[id]?.verifier else { throw .otherApp }
    let (token, secret) = try verifier.verifyWithSecret(text.text, app: id, now: clock.seconds(now))
    return TokenGrant(token: token, text: text, secret: secret)
  }
}
