import NetworkIO

/// A session and the WebSocket that carries it.
extension RelaySession {
  /// Takes the events of the WebSocket.
  package func takeMessages(from network: any SignallingNetwork, nowNanoseconds now: Int) {
    while let event = network.takeEvent(nowNanoseconds: now) {
      switch event {
      case .opened: signallingOpened(nowNanoseconds: now)
      case .message(let text): receive(text, nowNanoseconds: now)
      case .closed: signallingClosed(nowNanoseconds: now)
      case .failed(let error): signallingFailed(error, nowNanoseconds: now)
      }
    }
  }

  /// Carries out the commands.
  ///
  /// - Returns: Whether there were any.
  package func flush(to network: any SignallingNetwork, nowNanoseconds now: Int) -> Bool {
    var isActive = false
    while let command = takeCommand() {
      isActive = true
      switch command {
      case .open(let relay):
        do throws(WebSocketError) { try network.open(relay, nowNanoseconds: now) } catch {
          signallingFailed(error, nowNanoseconds: now)
        }
      case .send(let text): network.send(text)
      case .close: network.close(nowNanoseconds: now)
      }
    }
    return isActive
  }
}
