import CPlatform
import CWebSockets
import Glibc
import Platform

extension WebSocketLoop {
  /// Begins a connection to the client's URL. The lookup of its name waits for the resolver.
  func connect(_ id: ConnectionID) {
    guard case .client(let url, _) = purpose else { return }
    // The peer's address is known later.
    guard let unknown = SocketAddress(host: "0.0.0.0", port: 0) else { return }
    let connection = WebSocketLoopConnection(id, address: unknown, limits: limits, now: now)
    handles[id] = connection
    guard stopDeadline == nil else {
      connection.failure = .stopped
      return end(connection)
    }
    if let message = Self.lookUpError(url.host) {
      connection.failure = .unknownHost(message)
      return end(connection)
    }
    // The time of the lookup is the resolver's, not the server's.
    connection.lastReceived = now
    connecting = connection
    var early: OpaquePointer?
    let handle = cwebsockets_connect(
      context, host, url.host, Int32(url.port), url.hasTLS ? 1 : 0, url.target, url.authority, subprotocol, &early)
    connecting = nil
    if let handle, connection.phase != .ended {
      register(connection, handle)
    } else {
      connection.failure = connection.failure ?? .refused
      end(connection)
    }
  }

  private static func lookUpError(_ host: String) -> String? {
    var hints = addrinfo()
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var found: UnsafeMutablePointer<addrinfo>?
    let code = getaddrinfo(host, nil, &hints, &found)
    guard code == 0 else { return String(cString: gai_strerror(code)) }
    freeaddrinfo(found)
    return nil
  }

  /// Checks that the server has taken the subprotocol, which the library lets it leave out.
  func checkSubprotocol(_ connection: WebSocketLoopConnection, _ handle: OpaquePointer) -> Int32 {
    guard header(WSI_TOKEN_PROTOCOL, handle) == subprotocol else {
      connection.failure = .subprotocol
      return -1
    }
    return 0
  }

  /// Notes the library's reason of a failure. `end` reports it.
  func fail(_ connection: WebSocketLoopConnection, text: String) {
    connection.failure = connection.failure ?? reason(from: text)
    end(connection)
  }

  private func reason(from text: String) -> WebSocketError.Reason {
    if text.contains("SSL") || text.contains("cert") {
      defer { refusal = nil }
      return refusal ?? (text.hasPrefix("Timed out") ? .timeout : .tls)
    }
    if text.hasPrefix("HS: ") { return .notWebSocket(String(text.dropFirst(4))) }
    if text.contains("protocol") || text.contains("PROTOCOL") { return .subprotocol }
    if text.contains("onnect") { return .refused }
    if text.contains("parsing header") { return .notWebSocket("no HTTP") }
    return .violation(text.isEmpty ? "no reason given" : text)
  }

  /// Address of a connection's peer.
  func peerAddress(of connection: WebSocketLoopConnection, _ handle: OpaquePointer) -> SocketAddress {
    guard case .client = purpose else { return connection.address }
    var storage = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    let code = withUnsafeMutablePointer(to: &storage) { pointer in
      // SAFETY: sockaddr_storage is large enough for every kind of address, and begins like sockaddr.
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getpeername(lws_get_socket_fd(handle), $0, &length) }
    }
    return code == 0 ? SocketAddress(storage, length: length).unmapped : connection.address
  }
}
