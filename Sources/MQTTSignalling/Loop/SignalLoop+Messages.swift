import Calls

extension SignalLoop {
  /// Most bytes of a topic in a log.
  private static let shownTopicByteCount = 120

  /// Acts on requests of other threads.
  func accept(_ requests: [SignalRequest]) {
    for request in requests {
      switch request {
      case .send(let message): queue.append(message)
      case .refuse(let completion, let error): completion(.failure(error))
      case .open(let request): accept(request)
      }
    }
  }

  /// Publishes a message, which has left the queue.
  func publish(_ message: OutgoingMessage) {
    let now = now
    let seconds = message.expirySeconds(nowNanoseconds: now)
    do throws(MosquittoFault) {
      let identifier = try mosquitto.publish(message.text, to: message.topic, expirySeconds: seconds)
      queue.sent(message, as: identifier, nowNanoseconds: now)
    } catch {
      if error.kind == .message {
        let text = "message to user \(message.userID) at \(options.brokerURL): \(error.text); send a shorter one"
        message.completion(.failure(SignalError(.refused, code: 0, text)))
      } else {
        lose(error)
        let text = "the connection to \(options.brokerURL) was lost while a message to user \(message.userID) was sent"
        message.completion(.failure(SignalError(.unknown, code: 0, text)))
      }
    }
  }

  func handle(_ event: MosquittoEvent) {
    switch event {
    case .connected(0, let receiveMaximum): connected(receiveMaximum: receiveMaximum)
    case .connected(let code, _): refused(code: code)
    case .subscribed(let code): subscribed(code: code)
    case .published(let identifier, let code):
      if identifier == probe?.identifier { probeAnswered(code: code) } else { answered(identifier, code: code) }
    case .received(let topic, let payload, let isRetained): received(topic, payload, isRetained: isRetained)
    case .disconnected(let code):
      lose(MosquittoFault(kind: .network, text: "the broker ends it: \(Mosquitto.word(for: code))"))
    }
  }

  private func refused(code: Int) {
    let word = Mosquitto.word(for: code)
    let text =
      "the broker \(options.brokerURL) refuses user '\(options.userName)': \(word); check the name and the password"
    failOpenRequests(SignalError(.refused, code: code, text))
    listeners.log(text, .error)
    lose(MosquittoFault(kind: .network, text: "the broker refuses user '\(options.userName)': \(word)"))
  }

  private func answered(_ identifier: Int32, code: Int) {
    guard let message = queue.answered(identifier) else { return }
    switch code {
    case 0: message.completion(.success(()))
    case 16:
      let text = "user \(message.userID) has no session at \(options.brokerURL); try again later"
      message.completion(.failure(SignalError(.noSuchUser, code: code, text)))
    case 128...:
      let text = "message to user \(message.userID) refused by \(options.brokerURL): \(Mosquitto.word(for: code))"
      message.completion(.failure(SignalError(.refused, code: code, text + "; look at the broker's ACL and limits")))
    // MQTT 5 has no other codes here; the broker has the message.
    default: message.completion(.success(()))
    }
  }

  private func received(_ topic: String, _ payload: MosquittoEvent.Payload, isRetained: Bool) {
    guard let sender = topics.sender(of: topic) else {
      return drop(topic, "its sender is not a decimal uid")
    }
    if isRetained { return drop(topic, "it is retained; calls have no retained messages") }
    switch payload {
    case .tooLong(let count): drop(topic, "it has \(count) bytes, more than \(Mosquitto.maximumByteCount)")
    case .bytes(let bytes):
      guard let text = String(validating: bytes, as: UTF8.self) else { return drop(topic, "it is not UTF-8") }
      if sender == topics.user, Probe.matches(text) {
        probeReceived(text)
      } else {
        listeners.receive(text, from: sender)
      }
    }
  }

  private func drop(_ topic: String, _ reason: String) {
    // The topic is a stranger's: it must not bring new lines into a log.
    let shown = String(reflecting: String(topic.prefix(Self.shownTopicByteCount)))
    listeners.log("message at \(shown) dropped: \(reason)", .warning)
  }
}
