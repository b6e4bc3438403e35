import NetworkIO
import Platform
import RelayClient
import RelayLoad

/// Network of one user of a load: its WebSocket among those of all users, and a UDP socket of its own.
///
/// Thread: one at a time.
final class LoadNetwork: SignallingNetwork, MediaNetwork {
  private(set) var waitedNanoseconds = 0
  private(set) var sockets: [UDPSocket] = []
  let isClosing = false
  /// Whether the socket with the same index is one of IPv6.
  private var families: [Bool] = []
  private let number: Int
  private let signalling: LoadSignalling
  private let set: SocketSet

  /// Datagrams for which the sockets had no room.
  var droppedCount: Int { sockets.reduce(0) { $0 + $1.droppedCount } }

  init(number: Int, _ signalling: LoadSignalling, _ set: SocketSet) {
    self.number = number
    self.signalling = signalling
    self.set = set
  }

  func open(_ relay: String, nowNanoseconds now: Int) throws(WebSocketError) { try signalling.open(relay, for: number) }

  func send(_ message: String) { signalling.send(message, from: number) }

  func close(nowNanoseconds now: Int) { signalling.close(number) }

  func takeEvent(nowNanoseconds now: Int) -> SignallingEvent? { signalling.takeEvent(of: number) }

  func send(_ datagram: UnsafeRawBufferPointer, to address: SocketAddress) {
    socket(isIPv6: address.isIPv6)?.send(datagram, to: address)
  }

  func receive(_ body: (UnsafeRawBufferPointer, SocketAddress) -> Void) -> Bool {
    sockets.contains { socket in
      socket.receiveNoted { datagram, source, waited in
        waitedNanoseconds = waited
        body(datagram, source)
      }
    }
  }

  func stop() { signalling.close(number) }

  /// Returns the socket of a family of addresses; nil if the system gives none.
  private func socket(isIPv6: Bool) -> UDPSocket? {
    if let index = families.firstIndex(of: isIPv6) { return sockets[index] }
    guard let address = SocketAddress(host: isIPv6 ? "::" : "0.0.0.0", port: 0),
      let socket = try? UDPSocket(at: address)
    else { return nil }
    socket.noteArrivals()
    do { try set.add(socket, number: number) } catch { return nil }
    sockets.append(socket)
    families.append(isIPv6)
    return socket
  }
}
