import NetworkIO
import RelayClient
import RelayLoad

/// WebSockets of all users of a load, on one thread for each address of a relay.
///
/// Thread: one at a time.
final class LoadSignalling {
  private struct Socket: Hashable {
    let relay: String
    let connection: ConnectionID
  }

  private let capacity: Int
  private let verification: TLSVerification
  private var clients: [String: WebSocketClient] = [:]
  private var sockets: [Int: Socket] = [:]
  private var owners: [Socket: Int] = [:]
  private var events: [Int: [SignallingEvent]] = [:]
  /// Newest reason why a WebSocket could not be opened.
  private(set) var failure: WebSocketError?

  init(userCount: Int, verification: TLSVerification) {
    // A rejoin may open a connection before the earlier one has closed.
    capacity = 2 * userCount
    self.verification = verification
  }

  /// Descriptors to wait for: readable while `collect` has work.
  var descriptors: [Int32] { clients.values.map(\.descriptor) }

  /// Collects what has come.
  ///
  /// - Returns: Numbers of the users with news.
  func collect() -> Set<Int> {
    var numbers: Set<Int> = []
    for (relay, client) in clients {
      for event in client.takeEvents() {
        if let number = take(event, relay) { numbers.insert(number) }
      }
    }
    return numbers
  }

  /// Opens a WebSocket for a user, in place of an earlier one.
  ///
  /// - Throws: `WebSocketError` for an address that cannot be used.
  func open(_ relay: String, for number: Int) throws(WebSocketError) {
    close(number)
    let connection: ConnectionID
    if let client = clients[relay] {
      connection = client.openConnection()
    } else {
      let client = try WebSocketClient(
        url: WebSocketURL(relay), subprotocol: WireConventions.subprotocol, verification: verification,
        limits: WebSocketLimits(), capacity: capacity)
      clients[relay] = client
      connection = client.connection
    }
    let socket = Socket(relay: relay, connection: connection)
    sockets[number] = socket
    owners[socket] = number
  }

  /// Queues a user's message.
  func send(_ message: String, from number: Int) {
    guard let socket = sockets[number] else { return }
    clients[socket.relay]?.send(Array(message.utf8), to: socket.connection)
  }

  /// Closes a user's WebSocket behind its messages.
  func close(_ number: Int) {
    events[number] = nil
    guard let socket = sockets.removeValue(forKey: number) else { return }
    owners[socket] = nil
    clients[socket.relay]?.close(socket.connection)
  }

  /// Returns the next event of a user; nil if there is none.
  func takeEvent(of number: Int) -> SignallingEvent? {
    guard var queue = events[number], !queue.isEmpty else { return nil }
    let event = queue.removeFirst()
    events[number] = queue.isEmpty ? nil : queue
    if event == .closed, let socket = sockets.removeValue(forKey: number) { owners[socket] = nil }
    return event
  }

  /// Ends all WebSockets.
  func stop() { for client in clients.values { client.stop() } }

  private func take(_ event: WebSocketEvent, _ relay: String) -> Int? {
    let (connection, news): (ConnectionID, SignallingEvent)
    switch event {
    case .opened(let id, _): (connection, news) = (id, .opened)
    case .message(let id, let bytes): (connection, news) = (id, .message(String(decoding: bytes, as: UTF8.self)))
    case .closed(let id, _): (connection, news) = (id, .closed)
    case .failed(let id, let error):
      failure = error
      (connection, news) = (id, .closed)
    }
    // A WebSocket that its user has closed has no owner.
    guard let number = owners[Socket(relay: relay, connection: connection)] else { return nil }
    events[number, default: []].append(news)
    return number
  }
}
