/// A WebSocket client on a thread of its own, for text messages of one subprotocol.
///
/// A client opens one connection, and never again: the caller reconnects with a new client. The events are those of a
/// server, or `failed`.
///
/// Thread: any, unless a member says otherwise. Source: RFC 6455.
public final class WebSocketClient: Sendable {
  /// Number of the client's connection.
  public let connection: ConnectionID
  private let loop: WebSocketLoop

  /// Starts to connect. `opened` or `failed` follows within the time limit for the handshake.
  ///
  /// The resolver's time for the name counts beside that limit.
  ///
  /// - Parameters:
  ///   - url: address with the scheme `ws` or `wss`.
  ///   - subprotocol: name that the server must take.
  ///   - verification: rule for the server's certificate; without effect for `ws`.
  ///   - limits: limits; those of connections and of message rates are for servers.
  /// - Throws: `WebSocketError` if the file of roots or the subprotocol cannot be used, or the system gives no thread.
  public convenience init(
    url: WebSocketURL, subprotocol: String, verification: TLSVerification = .systemRoots,
    limits: WebSocketLimits = WebSocketLimits()
  ) throws(WebSocketError) {
    try self.init(url: url, subprotocol: subprotocol, verification: verification, limits: limits, capacity: 1)
  }

  /// Starts to connect, with room for further connections.
  package init(
    url: WebSocketURL, subprotocol: String, verification: TLSVerification, limits: WebSocketLimits, capacity: Int
  ) throws(WebSocketError) {
    guard Self.isToken(subprotocol) else { throw WebSocketError(.token, subprotocol) }
    if url.hasTLS { try WebSocketLoop.checkRoots(verification) }
    // The library has descriptors of its own.
    loop = try WebSocketLoop(
      .client(url, verification), subprotocol: subprotocol, limits: limits, place: url.description,
      capacity: max(1, capacity) + 15)
    connection = loop.mailbox.makeConnection()
    loop.mailbox.post(.connect(connection))
    try loop.start()
  }

  deinit { stop() }

  /// Opens a further connection to the same URL on the same thread.
  package func openConnection() -> ConnectionID {
    let id = loop.mailbox.makeConnection()
    loop.mailbox.post(.connect(id))
    return id
  }

  /// Waits until the connection is open or has failed. Its events stay for `takeEvents`.
  ///
  /// - Throws: `WebSocketError` with the reason of the failure.
  public func waitUntilOpen() throws(WebSocketError) { try loop.mailbox.waitForOutcome().get() }

  /// Descriptor for `poll`: readable while events wait. It belongs to the client; `takeEvents` alone reads it.
  public var descriptor: Int32 { loop.mailbox.descriptor }

  /// Waits until an event is there, at most so many nanoseconds, and takes all events in order. Thread: one at a time.
  ///
  /// - Returns: The events; none after the limit, a signal, or the client's end.
  public func takeEvents(waitingAtMost nanoseconds: Int64 = 0) -> [WebSocketEvent] {
    loop.mailbox.takeEvents(waitingAtMost: nanoseconds)
  }

  /// Queues a text message, which must be UTF-8. Before `opened` it waits for the handshake.
  ///
  /// - Returns: false if the connection is closing, the message is too long, or the queue of a slow server is full. In
  ///   the last case the connection is cut.
  @discardableResult
  public func send(_ message: [UInt8]) -> Bool { send(message, to: connection) }

  /// Queues a text message on one of several connections.
  @discardableResult
  package func send(_ message: [UInt8], to id: ConnectionID) -> Bool { loop.mailbox.send(message, to: id) }

  /// Closes the connection behind its queued messages. `closed` follows.
  ///
  /// - Parameters:
  ///   - code: 1000 to 4999 without the reserved ones, which count as 1000.
  ///   - reason: at most 123 bytes of it are sent.
  public func close(code: UInt16 = 1000, reason: String = "") {
    loop.mailbox.close(connection, code: Self.sendable(code), reason: Self.shortened(reason))
  }

  /// Closes one of several connections behind its queued messages. `closed` follows.
  package func close(_ id: ConnectionID) { loop.mailbox.close(id, code: 1000, reason: "") }

  /// Counts since the start.
  public var counters: WebSocketCounters { loop.mailbox.counters }

  /// Sends a close frame with code 1001, and ends the thread within 1 s. Events that wait can still be taken.
  public func stop() { loop.stop() }

  /// Whether a text may be the name of a subprotocol. Source: RFC 9110, section 5.6.2.
  static func isToken(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.count <= 64
      && text.utf8.allSatisfy { byte in
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
          || "!#$%&'*+-.^_`|~".utf8.contains(byte)
      }
  }

  /// A code that a close frame may have, as the library knows them; 1000 in place of any other.
  static func sendable(_ code: UInt16) -> UInt16 {
    switch code {
    case 1000...1003, 1007...1011, 3000...4999: code
    default: 1000
    }
  }

  /// The first 123 bytes, as whole characters. Source: RFC 6455, section 5.5.
  static func shortened(_ reason: String) -> String {
    var text = reason
    while text.utf8.count > 123 { text.removeLast() }
    return text
  }
}
