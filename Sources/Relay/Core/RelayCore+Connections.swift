internal import NetworkIO
public import Platform
internal import Signalling

extension RelayCore {
  /// Codes of WebSocket with which the relay ends connections. Source: RFC 6455, section 7.4.1; the registry of IANA.
  enum Closing {
    static let goingAway: UInt16 = 1001
    static let policy: UInt16 = 1008
    static let tryLater: UInt16 = 1013
  }

  /// Takes a new connection; a number that is in use is ignored.
  public func opened(_ connection: UInt64, from address: SocketAddress, nowNanoseconds now: Int) {
    guard connections[connection] == nil else { return }
    guard connections.count < configuration.limits.connections else {
      ownCounters.disconnects += 1
      outbox.close(connection, code: Closing.tryLater, reason: "the relay has too many connections")
      return
    }
    let network = AddressNetwork(of: address)
    guard waitingConnections[network, default: 0] < configuration.limits.waitingConnections else {
      ownCounters.refusedConnections += 1
      outbox.close(
        connection, code: Closing.tryLater,
        reason: "\(configuration.limits.waitingConnections) connections wait for 'hello'; see --max-waiting-connections"
      )
      return
    }
    let new = Connection(connection, from: address, nowNanoseconds: now)
    connections[connection] = new
    new.waitingNetwork = network
    waitingConnections[network, default: 0] += 1
    deadlines.set(new, now &+ configuration.helloNanoseconds)
  }

  /// Takes the end of a connection. Its users stay in their channels until the time of their profile is over. In a
  /// drain the users of a client that has got other relays have moved, and leave at once.
  public func closed(_ connection: UInt64, nowNanoseconds now: Int) {
    guard let closed = connections.removeValue(forKey: connection) else { return }
    defer { endCall(now) }
    deadlines.remove(closed)
    endWaiting(closed)
    let session = closed.session
    detach(closed)
    if let session, session.isMoving, session.connection == nil { endMoved(session, now) }
  }

  /// Takes the bytes of messages that the caller has taken and not sent yet; they count for the limit of the queue.
  public func setBacklog(_ byteCount: Int, of connection: UInt64) {
    guard let connection = connections[connection] else { return }
    defer { leaveMedia() }
    connection.backlogByteCount = max(0, byteCount)
    checkQueue(connection)
  }

  /// Takes a message of a connection, in UTF-8.
  public func received(_ message: [UInt8], on connection: UInt64, nowNanoseconds now: Int) {
    guard let connection = connections[connection], !connection.isClosing else { return }
    defer { endCall(now) }
    ownCounters.messages += 1
    connection.heardNanoseconds = now
    let limit = configuration.limits.requestsPerSecond(memberCount: connection.memberCount)
    guard connection.countRequest(limit: limit, nowNanoseconds: now) else {
      refuse(
        connection,
        FailureReport(
          code: .refused, reason: .bannedByServer, sentence: "the connection sends too many requests; send fewer",
          limit: .requests(configuration.limits, memberCount: connection.memberCount)))
      if let session = connection.session {
        ban(session.identity ?? session.grant.token?.user, with: session.grant, session, now)
      }
      disconnect(connection, Closing.policy, "too many requests")
      return
    }
    if let session = connection.session, !session.isExpired { session.messageNanoseconds = now }
    // A stranger has only `hello` to say.
    let longest = connection.session == nil ? MessageLimits.helloByteCount : MessageLimits.messageByteCount
    guard message.count <= longest, let text = String(validating: message, as: UTF8.self) else {
      refuse(connection, FailureReport(code: .invalidArgument, sentence: "the message is not short text in UTF-8"))
      return
    }
    do throws(MessageError) {
      // Messages of later versions are ignored.
      guard let message = try ClientMessage(reading: text) else { return }
      take(message, on: connection, now)
    } catch {
      refuse(connection, FailureReport(error))
    }
  }

  private func take(_ message: ClientMessage, on connection: Connection, _ now: Int) {
    if case .hello(let request) = message {
      hello(request, on: connection, now)
      return
    }
    guard let session = connection.session else {
      refuse(
        connection,
        FailureReport(id: message.id, code: .notReady, sentence: "the first message must be 'hello'; send it"))
      return
    }
    switch message {
    case .ping(let request):
      post(.pong(PongAnswer(id: request.id, time: clock.milliseconds(now))), to: connection)
      return
    case .renewToken(let request):
      renew(request, session, now)
      return
    case .hello, .join, .update, .leave, .diagnose, .message, .presence, .preload, .relayMedia: break
    }
    guard !session.isExpired else {
      refuse(
        connection,
        FailureReport(
          id: message.id, code: .tokenExpired, sentence: "the session's token has expired; renew it first"))
      return
    }
    takeOfSession(message, session, now)
  }

  private func takeOfSession(_ message: ClientMessage, _ session: Session, _ now: Int) {
    switch message {
    case .join(let request): join(request, session, now)
    case .update(let request): update(request, session, now)
    case .leave(let request): leave(request, session, now)
    case .diagnose(let request): diagnose(request, session, now)
    case .message(let request): deliver(request, session, now)
    case .presence(let request): answer(request, session, now)
    case .preload(let request): preload(request, session, now)
    case .relayMedia(let request): relayMedia(request, session, now)
    case .hello, .ping, .renewToken: break
    }
  }

  // MARK: Sending

  func post(_ message: RelayMessage, to connection: Connection?) {
    guard let connection, !connection.isClosing else { return }
    post(text: message.text, to: connection)
  }

  /// Posts the text of a message, which several connections may get.
  func post(text: String, to connection: Connection?) {
    guard let connection, !connection.isClosing else { return }
    connection.queuedByteCount += text.utf8.count
    outbox.append(text, to: connection.id)
    checkQueue(connection)
  }

  func refuse(
    _ connection: Connection?, _ report: FailureReport, user: UserIdentity? = nil, role: ClientRole? = nil,
    info: String? = nil
  ) {
    ownCounters.refusals += 1
    if userLog.isOn { logRefusal(connection, report, user, role, info) }
    post(.failed(report), to: connection)
  }

  private func checkQueue(_ connection: Connection) {
    let limit = configuration.limits.queuedByteCount(memberCount: connection.memberCount)
    guard connection.waitingByteCount > limit else { return }
    disconnect(connection, Closing.tryLater, "the connection is too slow for its messages")
  }

  /// Ends a connection behind its messages.
  func disconnect(_ connection: Connection, _ code: UInt16, _ reason: String) {
    guard !connection.isClosing else { return }
    connection.isClosing = true
    ownCounters.disconnects += 1
    outbox.close(connection.id, code: code, reason: reason)
    connections[connection.id] = nil
    deadlines.remove(connection)
    endWaiting(connection)
    detach(connection)
  }

  /// Ends the time in which a connection counts as one without a session.
  func endWaiting(_ connection: Connection) {
    guard let network = connection.waitingNetwork else { return }
    connection.waitingNetwork = nil
    let count = waitingConnections[network, default: 1] - 1
    waitingConnections[network] = count == 0 ? nil : count
  }

  /// Parts a session from its connection. A session without a user ends with its connection.
  private func detach(_ connection: Connection) {
    guard let session = connection.session else { return }
    connection.session = nil
    guard session.connection === connection else { return }
    session.connection = nil
    dropPreloads(of: session)
    removeIfUnused(session)
  }

  func removeIfUnused(_ session: Session) {
    guard session.connection == nil, session.members.isEmpty else { return }
    deadlines.remove(session)
    sessions.remove(session)
  }

  /// Ends a connection that is silent for too long, or that does not begin a session, whatever else it sends.
  func poll(_ connection: Connection, _ now: Int) {
    let isLate = connection.session == nil
    let end =
      isLate
      ? connection.sessionlessNanoseconds &+ configuration.helloNanoseconds
      : connection.heardNanoseconds &+ 3 &* configuration.keepAliveNanoseconds
    guard now >= end else {
      deadlines.set(connection, end)
      return
    }
    if !isLate { ReachPoints.note(.connectionSilent) }
    disconnect(connection, Closing.policy, isLate ? "no 'hello' in time" : "no message in time")
  }
}
