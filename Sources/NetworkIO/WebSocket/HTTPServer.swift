public import Platform

/// An HTTP server on a thread of its own, which answers GET requests without a WebSocket: for the state of a program.
///
/// Thread: any, unless a member says otherwise.
public final class HTTPServer: Sendable {
  /// Local address, with the port that the system chose.
  public let localAddress: SocketAddress
  private let loop: WebSocketLoop

  /// Connections at one time: a few readers, each for one request.
  private static let maximumConnectionCount = 64

  /// Listens on an address, and starts the thread.
  ///
  /// - Parameters:
  ///   - address: local address; with port 0 the system chooses a port.
  ///   - onRequest: answers GET requests for a path; nil means 404. The server's thread calls it, and waits.
  /// - Throws: `WebSocketError` for an address or a resource that cannot be used.
  public init(
    at address: SocketAddress, onRequest: @escaping @Sendable (String) -> HTTPAnswer?
  ) throws(WebSocketError) {
    let socket = try ListeningSocket(at: address)
    localAddress = socket.localAddress
    var limits = WebSocketLimits()
    limits.maximumConnectionCount = Self.maximumConnectionCount
    loop = try WebSocketLoop(
      .server(path: nil, hasTLS: false, certificates: nil, onRequest: onRequest), subprotocol: "http", limits: limits,
      place: localAddress.description, capacity: 0)
    try loop.listen(on: [socket])
    try loop.start()
  }

  deinit { stop() }

  /// Counts since the start.
  public var counters: WebSocketCounters { loop.mailbox.counters }

  /// Ends the thread within 1 s.
  public func stop() { loop.stop() }
}
