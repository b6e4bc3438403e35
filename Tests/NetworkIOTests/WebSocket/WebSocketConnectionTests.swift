import Glibc
import NetworkIO
import Platform
import TestSupport
import Testing

/// The client against the server, and addresses at which there is not one.
@Suite(.timeLimit(.minutes(10))) struct WebSocketConnectionTests {
  private func reason(_ url: String, limits: WebSocketLimits = WebSocketLimits()) throws -> WebSocketError.Reason? {
    let client = try makeClient(try WebSocketURL(url), limits: limits)
    let error = #expect(throws: WebSocketError.self) { try client.waitUntilOpen() }
    #expect(EventLog(client).wait { $0.failures.count == 1 && $0.opened.isEmpty })
    return error?.reason
  }

  @Test("a server listens on IPv4 and IPv6, and names a port in use")
  func addresses() throws {
    let server = try makeServer(at: ["127.0.0.1:0", "[::1]:0"])
    for (host, address) in zip(["127.0.0.1", "[::1]"], server.localAddresses) {
      let client = try makeClient(try WebSocketURL("ws://\(host):\(address.port)/"))
      try client.waitUntilOpen()
      let log = EventLog(client)
      #expect(log.wait { $0.opened.count == 1 } && log.addresses == [address])
    }
    let taken = server.localAddresses[0].description
    let error = #expect(throws: WebSocketError.self) { try makeServer(at: [taken]) }
    #expect(error == WebSocketError(.bind(EADDRINUSE), taken) && error?.description.contains("port") == true)
  }

  @Test("a port without a server is refused")
  func noServer() throws {
    let port = try makeServer().localAddresses[0].port
    #expect(try reason("ws://127.0.0.1:\(port)/") == .refused)
  }

  @Test("an unknown host is named")
  func noHost() throws {
    guard case .unknownHost = try reason("ws://host.invalid:1/") else {
      return #expect(Bool(false), "another reason")
    }
  }

  @Test("a server that does not answer is reported after the time limit", arguments: ["ws", "wss"])
  func noAnswer(scheme: String) throws {
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(listener) }
    var (address, length) = (sockaddr_storage(), socklen_t(MemoryLayout<sockaddr_storage>.size))
    _ = try SocketAddress("127.0.0.1:0").withSystemAddress { bind(listener, $0, $1) }
    listen(listener, 5)
    withUnsafeMutablePointer(to: &address) { pointer in
      _ = pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(listener, $0, &length) }
    }
    var limits = WebSocketLimits()
    limits.handshakeNanoseconds = 200_000_000
    let port = SocketAddress(address, length: length).port
    #expect(try reason("\(scheme)://127.0.0.1:\(port)/", limits: limits) == .timeout)
  }

  @Test("TLS to a plain server fails as TLS")
  func noTLS() throws {
    let server = try makeServer()
    #expect(try reason("wss://127.0.0.1:\(server.localAddresses[0].port)/") == .tls)
  }

  @Test("a message of 64 KiB passes both ways, and one byte more does not")
  func largest() throws {
    let server = try makeServer()
    let client = try makeClient(try server.url())
    let (there, here) = (EventLog(server), EventLog(client))
    let message = [UInt8](repeating: 0x7A, count: 65_536)
    // Before the handshake it waits.
    #expect(client.send(message) && !client.send(message + [0x7A]))
    #expect(there.wait { $0.messages.count == 1 } && there.messages[0].1 == message)
    #expect(server.send(message, to: there.opened[0]) && !server.send(message + [0x7A], to: there.opened[0]))
    #expect(here.wait { $0.messages.count == 1 } && here.messages[0].1 == message)
  }

  @Test("a poll on the descriptor ends with an event, and not after it is taken")
  func descriptor() throws {
    let server = try makeServer()
    var entry = pollfd(fd: server.descriptor, events: Int16(POLLIN), revents: 0)
    #expect(poll(&entry, 1, 0) == 0)
    let client = try makeClient(try server.url())
    #expect(poll(&entry, 1, 20_000) == 1)
    #expect(server.takeEvents().count == 1 && poll(&entry, 1, 0) == 0)
    client.stop()
    #expect(poll(&entry, 1, 20_000) == 1)
  }

  @Test("500 connections open at once, and each gets its own messages")
  func many() throws {
    var limits = WebSocketLimits()
    limits.connectionBurst = 1_000
    limits.handshakeNanoseconds = 20_000_000_000
    let server = try makeServer(limits: limits)
    let client = try WebSocketClient(
      url: try server.url(), subprotocol: subprotocol, verification: .systemRoots, limits: limits, capacity: 500)
    let ids = [client.connection] + (1..<500).map { _ in client.openConnection() }
    for id in ids { #expect(client.send(Array("\(id)".utf8), to: id)) }
    let (there, here) = (EventLog(server), EventLog(client))
    #expect(there.wait(onMessage: { server.send($1 + [0x21], to: $0) }, until: { $0.messages.count == 500 }))
    #expect(here.wait { $0.messages.count == 500 } && here.failures.isEmpty)
    for (id, message) in here.messages { #expect(message == Array("\(id)!".utf8)) }
    #expect(Set(here.messages.map(\.0)) == Set(ids))
    client.stop()
    #expect(there.wait { $0.closed.count == 500 } && there.closed.values.allSatisfy { $0 == 1001 })
  }
}
