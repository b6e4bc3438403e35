import NetworkIO
import WebRTC

/// A connection and the network that carries it.
extension ChannelConnection {
  /// Takes the events of the network's WebSocket.
  package func takeMessages(from network: any ChannelNetwork, nowNanoseconds now: Int) {
    while let event = network.takeEvent(nowNanoseconds: now) {
      switch event {
      case .opened: signallingOpened(nowNanoseconds: now)
      case .message(let text): receive(text, nowNanoseconds: now)
      case .closed: signallingClosed(nowNanoseconds: now)
      case .failed(let error): signallingFailed(error, nowNanoseconds: now)
      }
    }
  }

  /// Carries out the commands, sends the datagrams and passes the events on, until none waits.
  package func flush(to network: any ChannelNetwork, nowNanoseconds now: Int, onEvent: (ChannelEvent) -> Void) {
    var isActive = true
    while isActive {
      isActive = false
      while let command = takeCommand() {
        isActive = true
        run(command, on: network, now)
      }
      while let datagram = takeDatagram() {
        datagram.bytes.withUnsafeBytes { network.send($0, to: datagram.address) }
      }
      while let event = takeEvent() {
        isActive = true
        onEvent(event)
      }
    }
  }

  private func run(_ command: ChannelCommand, on network: any ChannelNetwork, _ now: Int) {
    switch command {
    case .open(let relay):
      do throws(WebSocketError) { try network.open(relay, nowNanoseconds: now) } catch {
        signallingFailed(error, nowNanoseconds: now)
      }
    case .send(let text): network.send(text)
    case .close: network.close(nowNanoseconds: now)
    }
  }
}
