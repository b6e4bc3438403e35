import NetworkIO
import Platform
import TestSupport

/// Takes the events of a server or client, and keeps them.
final class EventLog {
  private let take: (Int64) -> [WebSocketEvent]
  private(set) var opened: [ConnectionID] = []
  private(set) var addresses: [SocketAddress] = []
  private(set) var messages: [(ConnectionID, [UInt8])] = []
  private(set) var closed: [ConnectionID: UInt16] = [:]
  private(set) var failures: [WebSocketError] = []

  init(_ server: WebSocketServer) { take = { server.takeEvents(waitingAtMost: $0) } }

  init(_ client: WebSocketClient) { take = { client.takeEvents(waitingAtMost: $0) } }

  /// Takes events until a condition holds.
  ///
  /// - Returns: false if it does not within 60 s.
  func wait(onMessage: (ConnectionID, [UInt8]) -> Void = { _, _ in }, until condition: (EventLog) -> Bool) -> Bool {
    let deadline = Deadline(seconds: 60)
    while true {
      for event in take(0) { note(event, onMessage) }
      if condition(self) { return true }
      guard deadline.isAhead else { return false }
      for event in take(20_000_000) { note(event, onMessage) }
    }
  }

  private func note(_ event: WebSocketEvent, _ onMessage: (ConnectionID, [UInt8]) -> Void) {
    switch event {
    case .opened(let id, let address):
      opened.append(id)
      addresses.append(address)
    case .message(let id, let bytes):
      messages.append((id, bytes))
      onMessage(id, bytes)
    case .closed(let id, let code): closed[id] = code
    case .failed(_, let error): failures.append(error)
    }
  }
}
