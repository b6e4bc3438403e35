import Channels
import NetworkIO

/// The WebSockets of one session on a simulated path.
final class SimulatedSignalling: SignallingNetwork {
  private var events: [SignallingEvent] = []
  private var socket: SimulatedWebSocket?
  private let path: ChannelPath

  init(_ path: ChannelPath) { self.path = path }

  /// Takes an event of a WebSocket; those of others are ignored.
  func take(_ event: SignallingEvent, from socket: SimulatedWebSocket) {
    guard socket === self.socket else { return }
    events.append(event)
  }

  // Messages under way need no session.
  var isClosing: Bool { false }

  func open(_ relay: String, nowNanoseconds now: Int) throws(WebSocketError) {
    close(nowNanoseconds: now)
    socket = path.openSocket()
  }

  func send(_ message: String) {
    if let socket { path.send(.message(message), on: socket) }
  }

  func close(nowNanoseconds now: Int) {
    events = []
    if let socket { path.close(socket) }
    socket = nil
  }

  func takeEvent(nowNanoseconds now: Int) -> SignallingEvent? {
    guard !events.isEmpty else { return nil }
    let event = events.removeFirst()
    if event == .closed { socket = nil }
    return event
  }

  func stop() { close(nowNanoseconds: 0) }
}
