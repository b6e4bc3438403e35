import Glibc
import TestSupport

/// A server of TCP on loopback that sends the same bytes to each client, and nothing more.
final class ScriptedBroker {
  let port: UInt16
  private let listener: Int32
  private var connections: [Int32] = []

  init() throws {
    listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let listener = listener
    let result = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, length) + getsockname(listener, $0, &length) + listen(listener, 5)
      }
    }
    port = UInt16(bigEndian: address.sin_port)
    guard result == 0 else { throw Broker.Failure(text: "no port of loopback is free") }
  }

  deinit { for descriptor in connections + [listener] { close(descriptor) } }

  /// Waits for the next connection and its first packet, and answers with `bytes`.
  func answer(_ bytes: [UInt8]) throws {
    var entry = pollfd(fd: listener, events: Int16(POLLIN), revents: 0)
    guard poll(&entry, 1, 20_000) == 1 else { throw Broker.Failure(text: "no client has come") }
    let connection = accept(listener, nil, nil)
    connections.append(connection)
    var packet = [UInt8](repeating: 0, count: 1_024)
    guard recv(connection, &packet, packet.count, 0) > 0, send(connection, bytes, bytes.count, 0) == bytes.count
    else { throw Broker.Failure(text: "the client has gone") }
  }
}
