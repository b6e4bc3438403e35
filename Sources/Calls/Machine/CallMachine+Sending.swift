/// Messages on their way.
extension CallMachine {
  /// Sends a message of a call.
  mutating func send(
    _ body: CallMessage.Body, as purpose: SentMessage.Purpose = .other, of call: OngoingCall, completion: Int? = nil,
    _ now: Int
  ) {
    send(body, as: purpose, in: call.id, to: call.peer, completion: completion, now)
  }

  /// Sends a message of a call that is not the ongoing one.
  mutating func send(
    _ body: CallMessage.Body, as purpose: SentMessage.Purpose = .other, in callID: String, to peer: UInt32,
    completion: Int? = nil, _ now: Int
  ) {
    let message = CallMessage(callID: callID, device: device, body: body)
    send(message.text, as: purpose, in: callID, to: peer, completion: completion, now)
  }

  /// Sends a text, and expects its acknowledgement.
  mutating func send(
    _ text: String, as purpose: SentMessage.Purpose, in callID: String, to peer: UInt32, completion: Int? = nil,
    _ now: Int
  ) {
    // A flood of calls costs an answer each: beyond a number that are under way, their callers hear nothing.
    guard purpose != .answer || (rates.takeAnswer(now) && sent.count < Self.mostMessages) else { return }
    let isCall = purpose == .call || purpose == .repeatedCall
    let ring = isCall ? ongoing?.deadline.map { Duration.nanoseconds($0 - now) } : nil
    let expiry = ring ?? .seconds(15)
    let number = makeNumber()
    sent[number] = SentMessage(
      purpose: purpose, callID: callID, text: text, receiver: peer, expiry: expiry, completion: completion,
      deadline: now + CallTimes.acknowledgement)
    emit(.send(number: number, text: text, to: peer, expiry: expiry))
  }

  /// Takes the outcome of a message.
  mutating func sent(_ number: Int, _ error: SignalError?, _ now: Int) {
    guard let message = sent[number], message.resendTime == nil else { return }
    guard let error else {
      sent[number] = nil
      if message.purpose == .call, state == .calling, ongoing?.id == message.callID {
        emit(.event(.remoteUserRecvCall, reason: nil))
      }
      complete(message.completion, nil)
      return finishEnding()
    }
    if message.maySucceedLater(error, now), now + CallTimes.resend < message.deadline, isUseful(message) {
      sent[number]?.resendTime = now + CallTimes.resend
    } else {
      fail(number, error, now)
    }
  }

  /// Sends messages again that have failed, and gives up those without an answer.
  mutating func pollMessages(_ now: Int) {
    for number in sent.keys.sorted() {
      guard let message = sent[number] else { continue }
      if message.deadline <= now {
        fail(
          number,
          SignalError(
            .unknown, code: ChannelErrorCode.general.rawValue,
            "user \(message.receiver) has not acknowledged a message within 5 s; check the connections of both"), now)
      } else if let time = message.resendTime, time <= now {
        sent[number]?.resendTime = nil
        emit(.send(number: number, text: message.text, to: message.receiver, expiry: message.expiry(now)))
      }
    }
  }

  /// Most messages without an acknowledgement.
  private static let mostMessages = 256

  /// Whether a message still matters: a call that has ended does not ring again.
  private func isUseful(_ message: SentMessage) -> Bool {
    switch message.purpose {
    case .call, .accept, .repeatedCall: ongoing?.id == message.callID
    case .other: true
    case .answer: false
    }
  }

  private mutating func fail(_ number: Int, _ error: SignalError, _ now: Int) {
    guard let message = sent.removeValue(forKey: number) else { return }
    let failure = CallError(error)
    defer {
      complete(message.completion, failure)
      finishEnding()
    }
    guard let call = ongoing, call.id == message.callID else {
      // The application hears of an end that may not have arrived, and not of answers that nobody awaits.
      if message.completion != nil { emit(.error(.sendMessageFail, failure)) }
      return
    }
    switch (message.purpose, state) {
    case (.call, .calling):
      emit(.error(.sendMessageFail, failure))
      if error.reason == .unknown { send(.cancel(CallMessage.End(.failed)), of: call, now) }
      end(.messageFailed, nil, text: error.message, now)
    case (.accept, .connecting) where call.agreedTime == nil:
      emit(.error(.sendMessageFail, failure))
      send(.hangup(CallMessage.End(.failed)), of: call, now)
      end(.messageFailed, nil, text: error.message, now)
    // The other user has the message, as its answer or its sound shows.
    case (.call, _), (.accept, _), (.repeatedCall, _), (.answer, _), (.other, _): break
    }
  }
}

extension SentMessage {
  /// Whether another attempt may succeed. A user that has lost its connection may come back; an end waits for it for a
  /// shorter time, since the room shows it, too.
  fileprivate func maySucceedLater(_ error: SignalError, _ now: Int) -> Bool {
    switch error.reason {
    case .noSuchUser: purpose == .accept || (purpose == .other && now < deadline - CallTimes.acknowledgement * 3 / 5)
    case .notConnected, .limited, .unknown: true
    case .refused: false
    }
  }
}
