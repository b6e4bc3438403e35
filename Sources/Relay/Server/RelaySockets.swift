import Glibc
import NetworkIO
import Platform
import Signalling

/// The sockets of a relay: for each address UDP and a WebSocket, with one port number.
struct RelaySockets {
  /// Sockets of the workers in their order, each for every address.
  let media: [UDPSocket]
  let server: WebSocketServer
  let localAddresses: [SocketAddress]
  /// Receive buffer of each UDP socket that the system gives, in bytes.
  let receiveByteCount: Int

  /// Receive buffer that is asked for, in bytes: 100 publishers fill the default one in 50 ms.
  static let wantedReceiveByteCount = 4 << 20

  /// Opens the sockets.
  ///
  /// - Throws: `NetworkError` and `WebSocketError` if an address cannot be used.
  init(
    at addresses: [SocketAddress], workerCount: Int, tls: TLSFiles?, limits: WebSocketLimits,
    onRequest: @escaping @Sendable (String) -> HTTPAnswer?
  ) throws {
    // A port that the system chooses for TCP may be taken for UDP.
    var attempts = addresses.contains { $0.port == 0 } ? 20 : 1
    while true {
      attempts -= 1
      let server = try WebSocketServer(
        at: addresses, subprotocol: WireConventions.subprotocol, tls: tls, limits: limits,
        onRequest: onRequest)
      do {
        media = try (0..<workerCount).flatMap { worker in
          try server.localAddresses.map { address in
            try UDPSocket(at: Self.address(of: worker, at: address), isIPv6Only: true)
          }
        }
        receiveByteCount =
          media.map { $0.setReceiveBuffer(byteCount: Self.wantedReceiveByteCount) }.min() ?? 0
        localAddresses = server.localAddresses
        self.server = server
        return
      } catch  where attempts > 0 {
        server.stop()
      }
    }
  }

  /// Address of a worker: its port follows that of the relay.
  private static func address(of worker: Int, at address: SocketAddress) throws(NetworkError) -> SocketAddress {
    guard let port = UInt16(exactly: Int(address.port) + worker) else {
      throw NetworkError(.bind(EADDRNOTAVAIL), "\(address), worker \(worker)")
    }
    return address.withPort(port)
  }
}
