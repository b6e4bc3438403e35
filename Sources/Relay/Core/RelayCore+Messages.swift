internal import Signalling

extension RelayCore {
  /// Delivers a message to each connected session of a user. The answer follows the message, also to its own sender.
  func deliver(_ request: MessageRequest, _ session: Session, _ now: Int) {
    guard let sender = session.identity else {
      refuse(
        session.connection,
        FailureReport(
          id: request.id, code: .user,
          sentence: "the session has no user to send from; begin it with a token for one, not for uid 0"))
      return
    }
    guard allowsMessage(request.id, session, now) else { return }
    let receivers = sessions.identities.receivers(request.to, in: session.app)
    guard !receivers.isEmpty else {
      post(.noSuchUser(NoSuchUserAnswer(id: request.id, to: request.to)), to: session.connection)
      return
    }
    let text = RelayMessage.message(MessageEvent(from: sender, body: request.body)).text
    // A control character has one byte in the request, and up to six in the event.
    guard text.utf8.count <= MessageLimits.messageByteCount else {
      refuse(
        session.connection,
        FailureReport(
          id: request.id, code: .invalidArgument,
          sentence: "the field 'body' of the message 'message' has too many control characters; send fewer"))
      return
    }
    let reached = receivers.count { deliver(text, to: $0) }
    session.allowance.count(max(0, receivers.count - 1), limit: configuration.limits.messagesPerSecond)
    guard reached > 0 else {
      let limits = receivers.map { queueLimit(of: $0) / 2 }
      refuse(
        session.connection,
        FailureReport(
          id: request.id, code: .refused, sentence: "too many messages wait for the user; send this one later",
          limit: .waitingMessages(limits.max() ?? 0)))
      return
    }
    ownCounters.deliveredMessages += reached
    post(
      .delivered(DeliveredAnswer(id: request.id, sessions: UInt32(clamping: reached))), to: session.connection)
  }

  /// Answers whether a user is online.
  func answer(_ request: PresenceRequest, _ session: Session, _ now: Int) {
    guard allowsMessage(request.id, session, now) else { return }
    let isOnline = sessions.identities.isOnline(request.user, in: session.app)
    post(.presence(PresenceAnswer(id: request.id, user: request.user, online: isOnline)), to: session.connection)
  }

  private func allowsMessage(_ id: UInt32, _ session: Session, _ now: Int) -> Bool {
    if session.allowance.allows(limit: configuration.limits.messagesPerSecond, nowNanoseconds: now) { return true }
    refuse(
      session.connection,
      FailureReport(
        id: id, code: .refused, sentence: "the session sends too many messages; send fewer in a second",
        limit: .messages(configuration.limits)))
    return false
  }

  /// Posts a message, unless it would fill the receiver's queue beyond half of its limit: the other half is for the
  /// relay's own messages, so that no sender ends a receiver's connection.
  ///
  /// - Returns: Whether it is posted.
  private func deliver(_ text: String, to receiver: Session) -> Bool {
    guard let connection = receiver.connection else { return false }
    guard connection.waitingByteCount + text.utf8.count <= queueLimit(of: receiver) / 2 else { return false }
    post(text: text, to: connection)
    return true
  }

  private func queueLimit(of session: Session) -> Int {
    configuration.limits.queuedByteCount(memberCount: session.members.count)
  }
}
