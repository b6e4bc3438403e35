package import NetworkIO
package import Platform

/// The datagrams of a machine: a UDP socket for each family of addresses.
package final class UDPMediaNetwork: MediaNetwork {
  package let sockets: [UDPSocket]

  /// - Throws: `ChannelError` with code `.notReady` if the system gives no socket.
  package init() throws(ChannelError) {
    sockets = ["0.0.0.0", "::"].compactMap { host in
      SocketAddress(host: host, port: 0).flatMap { try? UDPSocket(at: $0) }
    }
    guard !sockets.isEmpty else { throw ChannelError(.notReady, "the system gives no UDP socket; raise ulimit -n") }
  }

  package func send(_ datagram: UnsafeRawBufferPointer, to address: SocketAddress) {
    sockets.first { $0.localAddress.isIPv6 == address.isIPv6 }?.send(datagram, to: address)
  }

  package func receive(_ body: (UnsafeRawBufferPointer, SocketAddress) -> Void) -> Bool {
    sockets.contains { $0.receive(body) != nil }
  }
}
