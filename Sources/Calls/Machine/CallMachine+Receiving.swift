/// Messages of other users.
extension CallMachine {
  /// Takes a message.
  ///
  /// - Parameters:
  ///   - text: The message.
  ///   - sender: Sender by the word of the channel.
  ///   - now: Time, in nanoseconds.
  mutating func receive(_ text: String, from sender: UInt32, _ now: Int) {
    let message: CallMessage
    do throws(CallMessageFault) { message = try CallMessage(reading: text) } catch {
      return drop("\(error.sentence); it is dropped", sender, .warning)
    }
    switch message.body {
    case .call(let invitation): if !rates.blocked.contains(sender) { receive(invitation, message, sender, now) }
    default:
      guard let call = ongoing, call.id == message.callID, call.peer == sender else {
        // A call that comes behind its cancel must not ring.
        if case .cancel = message.body { cancelled.insert(message.callID, of: sender, now) }
        // A session of the callee that has not heard of the end would wait for a sound.
        if case .accept = message.body, ended.contains(message.callID, of: sender) {
          send(.hangup(CallMessage.End(.failed)), as: .answer, in: message.callID, to: sender, now)
        }
        return drop("\(message.body.name) belongs to another call; it is dropped", sender)
      }
      receive(message, in: call, now)
    }
  }

  // MARK: Calls

  private mutating func receive(
    _ invitation: CallMessage.Invitation, _ message: CallMessage, _ sender: UInt32, _ now: Int
  ) {
    guard sender != user else { return drop("another session of this user calls the user itself", sender, .warning) }
    guard !ended.contains(message.callID, of: sender), !cancelled.contains(message.callID, of: sender) else {
      return drop("the call has ended; its message is dropped", sender)
    }
    guard state != .idle, state != .failed else {
      return drop("a call comes before prepareForCall; it is dropped", sender, .warning)
    }
    guard
      ongoing?.peer == sender && ongoing?.isCaller == true || message.callID == ongoing?.id
        || rates.take(callOf: sender, now)
    else {
      return drop("the user calls too often; a call is dropped", sender)
    }
    guard invitation.type == .audio else {
      ended.insert(message.callID, of: sender, now)
      send(
        .reject(CallMessage.End(.failed, "video calls are not supported")), as: .answer, in: message.callID, to: sender,
        now)
      return drop("a video call is rejected", sender, .warning)
    }
    guard let call = ongoing else { return ring(invitation, message, sender, now) }
    switch (call.peer == sender, state, call.isCaller) {
    case (true, _, _) where call.id == message.callID: drop("the call rings already", sender)
    case (true, .calling, false):
      end(.cancelByCallerRecall, .remoteCancelled, now)
      ring(invitation, message, sender, now)
      // It has rung since the first call.
      let limit = ongoing?.deadline ?? .max
      if let deadline = call.deadline { ongoing?.deadline = min(deadline, limit) }
    case (true, .calling, true): receiveSimultaneous(invitation, message, call, now)
    default:
      ended.insert(message.callID, of: sender, now)
      send(.reject(CallMessage.End(.busy)), as: .answer, in: message.callID, to: sender, now)
      drop("a call is answered as busy", sender)
    }
  }

  private mutating func ring(
    _ invitation: CallMessage.Invitation, _ message: CallMessage, _ sender: UInt32, _ now: Int
  ) {
    guard let settings else { return }
    begin(invitation, message, sender, now)
    // The caller's end of the ringing may be lost.
    let own = settings.callTimeoutMilliseconds
    let caller = invitation.ringMilliseconds
    let deadline =
      own == 0 && caller > 0
      ? ringDeadline(caller, now).map { $0 + CallTimes.lostCancel } : ringDeadline(own, now)
    ongoing?.deadline = deadline
    let info = ongoing?.info ?? [:]
    set(.calling, .remoteAudioCall, "", info)
    emit(.event(.remoteAudioCall, reason: nil))
    emit(.preload(preparation: nil, room: invitation.room, token: settings.rtcToken))
    emit(.askEarlyJoin(callID: message.callID, info: info))
  }

  /// Notes the call of another user.
  private mutating func begin(
    _ invitation: CallMessage.Invitation, _ message: CallMessage, _ sender: UInt32, _ now: Int
  ) {
    var info = ["callId": message.callID, "roomId": invitation.room, "remoteUserId": "\(sender)"]
    info["fromUserExtension"] = invitation.userExtension
    info["callExtension"] = invitation.callExtension
    ongoing = OngoingCall(
      id: message.callID, peer: sender, isCaller: false, room: invitation.room, token: settings?.rtcToken ?? "",
      info: info)
  }

  /// Resolves two users' calls to each other: the smaller id stays, and the other caller accepts it without a question.
  private mutating func receiveSimultaneous(
    _ invitation: CallMessage.Invitation, _ message: CallMessage, _ call: OngoingCall, _ now: Int
  ) {
    let sender = call.peer
    guard message.callID < call.id else {
      ended.insert(message.callID, of: sender, now)
      drop("both users call each other; this user's call stays", sender)
      // It may be lost, and the other user would wait for an answer.
      if let text = call.message { send(text, as: .repeatedCall, in: call.id, to: sender, now) }
      return
    }
    drop("both users call each other; the other user's call stays", sender)
    send(.cancel(CallMessage.End(.simultaneous)), of: call, now)
    ended.insert(call.id, of: sender, now)
    if let attempt = call.attempt { emit(.leave(attempt: attempt)) }
    begin(invitation, message, sender, now)
    emit(.event(.remoteAudioCall, reason: nil))
    acceptOngoing(completion: nil, info: ongoing?.info ?? [:], now)
  }

  // MARK: Answers and ends

  private mutating func receive(_ message: CallMessage, in call: OngoingCall, _ now: Int) {
    switch (message.body, call.isCaller, state) {
    case (.accept, true, .calling):
      ongoing?.acceptedDevice = message.device
      send(.taken(device: message.device), of: call, now)
      connect(.remoteAccepted, .remoteAccepted, now)
    case (.accept, true, _):
      // Another session of the callee, which has not heard of the first.
      if let accepted = call.acceptedDevice, accepted != message.device {
        send(.taken(device: accepted), of: call, now)
      }
    case (.reject(let end), true, .calling):
      // Other sessions of the callee ring no longer.
      send(.cancel(CallMessage.End(end.cause, end.reason)), of: call, now)
      if end.cause == .busy {
        self.end(.remoteCallBusy, .remoteCallBusy, text: end.reason, now)
      } else {
        receive(end, .remoteRejected, .remoteRejected, now)
      }
    case (.cancel(let end), false, _) where !call.hasHeard:
      receive(end, .remoteCancelled, .remoteCancelled, now)
    case (.hangup, false, .calling):
      // Another session of this user has had the call.
      end(.remoteCancelled, .remoteCancelled, now)
    case (.hangup(let end), _, _) where call.acceptedDevice == nil || call.acceptedDevice == message.device:
      if state == .calling { send(.cancel(CallMessage.End(.user)), of: call, now) }
      receive(end, .remoteHangup, .remoteHangup, now)
    case (.taken(let accepted), false, _) where accepted != device:
      end(.remoteCancelled, .remoteCancelled, now)
    case (.taken, false, _): ongoing?.agreedTime = call.agreedTime ?? now
    default:
      drop("\(message.body.name) does not fit the state \(state); it is dropped", call.peer)
    }
  }

  /// Ends the call by the other user: by its time, or for the reason.
  private mutating func receive(_ end: CallMessage.End, _ reason: CallStateReason, _ event: CallEvent, _ now: Int) {
    if end.cause == .timeout {
      self.end(.remoteCallingTimeout, .remoteCallingTimeout, now)
    } else {
      self.end(reason, event, text: end.reason, now)
    }
  }

  private mutating func drop(_ sentence: String, _ sender: UInt32, _ level: CallLogLevel = .normal) {
    emit(.debug("user \(sender): \(sentence)", level))
  }
}
