import Calls

/// A broker grants a subscription that its ACL forbids, and then delivers nothing. The probe, a message to the user
/// itself, shows the difference.
extension SignalLoop {
  private static let probeLimit = 3_000_000_000
  private static let probeExpirySeconds: UInt32 = 5

  func subscribed(code: Int) {
    guard code < 128 else {
      return failProbe(
        "user \(options.userID) may not read \(topics.filter) at \(options.brokerURL): \(Mosquitto.word(for: code)); "
          + Self.remedy, code: code)
    }
    sendProbe()
  }

  private func sendProbe() {
    let sent = Probe(number: .random(in: 0...UInt64.max))
    do throws(MosquittoFault) {
      let identifier = try mosquitto.publish(
        sent.text, to: topics.own, expirySeconds: Self.probeExpirySeconds)
      probe = (sent, identifier)
      phase = .probing(deadline: now + Self.probeLimit)
    } catch {
      lose(error)
    }
  }

  func probeReceived(_ text: String) {
    guard text == probe?.probe.text else { return }
    phase = .open
    lastFault = nil
    listeners.log("calls of user \(options.userID) at \(options.brokerURL): connected, subscribed and probed")
    for request in takeOpenRequests() { request.continuation.resume(returning: .success(())) }
  }

  func probeAnswered(code: Int) {
    // Without a refusal the message itself counts.
    guard code >= 128 else { return }
    failProbe(
      "user \(options.userID) may not publish to \(topics.own) at \(options.brokerURL): \(Mosquitto.word(for: code)); "
        + Self.remedy, code: code)
  }

  /// The probe has not come in its time.
  func failProbe() {
    failProbe(
      "user \(options.userID) may not read \(topics.filter) at \(options.brokerURL): the broker grants the subscription "
        + "and delivers nothing; " + Self.remedy, code: 135)
  }

  private func failProbe(_ text: String, code: Int) {
    phase = .unreadable
    lastFault = text
    listeners.log(text, .error)
    failOpenRequests(SignalError(.refused, code: code, text))
  }

  private static let remedy = "give the user the ACL of Deploy/mosquitto"

  // MARK: Callers of open

  func accept(_ request: OpenRequest) {
    switch phase {
    case .open: request.continuation.resume(returning: .success(()))
    case .unreadable:
      // The ACL may have been repaired since.
      openRequests.append(request)
      sendProbe()
    case .away, .connecting, .subscribing, .probing: openRequests.append(request)
    }
  }

  func failOverdueOpenRequests(at now: Int) {
    let overdue = openRequests.filter { $0.deadlineNanoseconds <= now }
    guard !overdue.isEmpty else { return }
    openRequests.removeAll { $0.deadlineNanoseconds <= now }
    let text = "calls of user \(options.userID) at \(options.brokerURL) are not open in time\(lastFaultClause)"
    for request in overdue {
      request.continuation.resume(returning: .failure(SignalError(.notConnected, code: 0, text)))
    }
  }

  func failOpenRequests(_ error: SignalError) {
    for request in takeOpenRequests() { request.continuation.resume(returning: .failure(error)) }
  }

  private func takeOpenRequests() -> [OpenRequest] {
    defer { openRequests.removeAll() }
    return openRequests
  }
}
