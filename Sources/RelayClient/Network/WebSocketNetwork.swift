package import NetworkIO
import Signalling

/// The WebSockets of a machine, each on a thread of its own.
package final class WebSocketNetwork: SignallingNetwork {
  private let verification: TLSVerification
  private var client: WebSocketClient?
  /// Events of the WebSocket that wait.
  private var events: [WebSocketEvent] = []
  /// WebSockets that still send their last messages, and the time of their end.
  private var closing: [(client: WebSocketClient, untilNanoseconds: Int)] = []

  private static let closingNanoseconds = 1_000_000_000

  package init(_ verification: TLSVerification) { self.verification = verification }

  package var descriptors: [Int32] { (client.map { [$0] } ?? []).map(\.descriptor) + closing.map(\.client.descriptor) }

  package var isClosing: Bool { !closing.isEmpty }

  package func open(_ relay: String, nowNanoseconds now: Int) throws(WebSocketError) {
    close(nowNanoseconds: now)
    client = try WebSocketClient(
      url: WebSocketURL(relay), subprotocol: WireConventions.subprotocol, verification: verification)
  }

  package func send(_ message: String) { client?.send(Array(message.utf8)) }

  package func close(nowNanoseconds now: Int) {
    events = []
    guard let client else { return }
    client.close()
    closing.append((client, now + Self.closingNanoseconds))
    self.client = nil
  }

  package func takeEvent(nowNanoseconds now: Int) -> SignallingEvent? {
    closing.removeAll { client, end in now >= end || client.takeEvents().contains(where: \.isEnd) }
    if events.isEmpty { events = client?.takeEvents() ?? [] }
    guard !events.isEmpty else { return nil }
    switch events.removeFirst() {
    case .opened: return .opened
    case .message(_, let bytes): return .message(String(decoding: bytes, as: UTF8.self))
    case .closed:
      client = nil
      return .closed
    case .failed(_, let error):
      client = nil
      return .failed(error)
    }
  }

  package func stop() {
    client?.stop()
    for entry in closing { entry.client.stop() }
    (client, closing, events) = (nil, [], [])
  }
}

extension WebSocketEvent {
  fileprivate var isEnd: Bool {
    switch self {
    case .closed, .failed: true
    case .opened, .message: false
    }
  }
}
