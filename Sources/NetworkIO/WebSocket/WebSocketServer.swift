public import Platform

/// A WebSocket server on a thread of its own, for text messages of one subprotocol.
///
///     peers -- TCP or TLS --> [ server's thread ] -- events --> one consumer
///     peers <---------------- [ server's thread ] <-- send, close -- any thread
///
/// The consumer takes events with `takeEvents`, or polls `descriptor` beside its own sockets. A peer that exceeds a
/// limit is closed, and `counters` has a count for each reason.
///
/// Thread: any, unless a member says otherwise. Source: RFC 6455.
public final class WebSocketServer: Sendable {
  /// Local addresses in the order of the given ones, with the ports that the system chose.
  public let localAddresses: [SocketAddress]
  private let loop: WebSocketLoop

  /// Listens on all addresses, and starts the thread.
  ///
  /// - Parameters:
  ///   - addresses: local addresses; with port 0 the system chooses a port.
  ///   - path: path of the WebSocket.
  ///   - subprotocol: name that each client must offer.
  ///   - tls: certificate and key; nil for plain TCP.
  ///   - limits: limits, each with a count in `counters`.
  ///   - onRequest: answers GET requests for other paths; nil means 404. The server's thread calls it, and waits.
  /// - Throws: `WebSocketError` for an address, a file or a resource that cannot be used.
  public init(
    at addresses: [SocketAddress], path: String = "/", subprotocol: String, tls: TLSFiles? = nil,
    limits: WebSocketLimits = WebSocketLimits(),
    onRequest: @escaping @Sendable (String) -> HTTPAnswer? = { _ in nil }
  ) throws(WebSocketError) {
    guard path.hasPrefix("/"), path.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
      throw WebSocketError(.token, path)
    }
    guard WebSocketClient.isToken(subprotocol) else { throw WebSocketError(.token, subprotocol) }
    if let tls { try WebSocketLoop.check(tls) }
    var sockets: [ListeningSocket] = []
    for address in addresses { sockets.append(try ListeningSocket(at: address)) }
    localAddresses = sockets.map(\.localAddress)
    let place = localAddresses.map(\.description).joined(separator: ", ")
    loop = try WebSocketLoop(
      .server(path: path, hasTLS: tls != nil, certificates: tls, onRequest: onRequest), subprotocol: subprotocol,
      limits: limits, place: place, capacity: 0)
    try loop.listen(on: sockets)
    try loop.start()
  }

  deinit { stop() }

  /// Descriptor for `poll`: readable while events wait. It belongs to the server; `takeEvents` alone reads it.
  public var descriptor: Int32 { loop.mailbox.descriptor }

  /// Waits until an event is there, at most so many nanoseconds, and takes all events: those of a connection in order,
  /// and connections in turns. Thread: one at a time.
  ///
  /// - Returns: The events; none after the limit, a signal, or the server's end.
  public func takeEvents(waitingAtMost nanoseconds: Int64 = 0) -> [WebSocketEvent] {
    loop.mailbox.takeEvents(waitingAtMost: nanoseconds)
  }

  /// Takes one event; nil without one. Connections with several events take turns. Thread: one at a time.
  public func takeEvent() -> WebSocketEvent? { loop.mailbox.takeEvent() }

  /// Queues a text message, which must be UTF-8.
  ///
  /// - Returns: false if the connection is closing, the message is too long, or the queue of a slow reader is full. In
  ///   the last case the connection is cut.
  @discardableResult
  public func send(_ message: [UInt8], to id: ConnectionID) -> Bool { loop.mailbox.send(message, to: id) }

  /// Bytes of messages that the network has not taken; 0 for a connection that has ended.
  package func queuedByteCount(of id: ConnectionID) -> Int { loop.mailbox.queuedByteCount(of: id) }

  /// Closes a connection behind its queued messages. `closed` follows.
  ///
  /// - Parameters:
  ///   - id: connection to close.
  ///   - code: 1000 to 4999 without the reserved ones, which count as 1000.
  ///   - reason: at most 123 bytes of it are sent.
  public func close(_ id: ConnectionID, code: UInt16 = 1000, reason: String = "") {
    loop.mailbox.close(id, code: WebSocketClient.sendable(code), reason: WebSocketClient.shortened(reason))
  }

  /// Uses other certificates for later handshakes. Connections that are open keep theirs.
  ///
  /// - Throws: `WebSocketError` if the files cannot be used; then the present certificates stay.
  public func reloadCertificates(_ files: TLSFiles) throws(WebSocketError) {
    try WebSocketLoop.check(files)
    loop.mailbox.post(.reload(files))
  }

  /// Uses another rate of messages from now on, for the open connections too.
  public func setMessageRate(perSecond: Int, burst: Int) {
    loop.mailbox.post(.messageRate(perSecond: perSecond, burst: burst))
  }

  /// Uses another rule for the web pages that may connect, for later connections.
  public func setOrigins(_ rule: OriginRule) { loop.mailbox.post(.origins(rule)) }

  /// Counts since the start.
  public var counters: WebSocketCounters { loop.mailbox.counters }

  /// Sends close frames with code 1001, and ends the thread within 1 s. Events that wait can still be taken.
  public func stop() { loop.stop() }
}
