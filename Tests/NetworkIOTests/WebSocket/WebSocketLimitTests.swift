import NetworkIO
import Platform
import TestSupport
import Testing

/// Limits of a server, against connections that break them.
@Suite(.timeLimit(.minutes(10))) struct WebSocketLimitTests {
  @Test("a silent peer is cut, and one that answers pings stays open")
  func silent() throws {
    var limits = WebSocketLimits()
    (limits.pingNanoseconds, limits.silenceNanoseconds) = (100_000_000, 2_000_000_000)
    let server = try makeServer(limits: limits)
    let log = EventLog(server)
    let client = try makeClient(try server.url())
    try client.waitUntilOpen()
    let raw = RawConnection(to: server.localAddresses[0])
    #expect(raw.upgrade().hasPrefix("HTTP/1.1 101"))
    #expect(log.wait { $0.closed.count == 1 } && log.closed[log.opened[1]] == 1006)
    #expect(server.counters.silentPeers == 1)
    #expect(server.send([0x61], to: log.opened[0]) && EventLog(client).wait { $0.messages.count == 1 })
  }

  @Test("a handshake that does not end is cut and counted", arguments: ["", "GET / HTTP/1.1\r\nHost: a\r\n"])
  func slowHandshake(start: String) throws {
    var limits = WebSocketLimits()
    limits.handshakeNanoseconds = 200_000_000
    let server = try makeServer(limits: limits)
    let raw = RawConnection(to: server.localAddresses[0])
    raw.send(start)
    #expect(raw.receiveAll() == "")
    #expect(eventually { server.counters.lateHandshakes == 1 } && server.takeEvents().isEmpty)
  }

  @Test("stop does not wait for peers that do not answer")
  func stop() throws {
    let server = try makeServer()
    let log = EventLog(server)
    let raw = RawConnection(to: server.localAddresses[0])
    let second = RawConnection(to: server.localAddresses[0])
    second.send("GET /")
    #expect(raw.upgrade().hasPrefix("HTTP/1.1 101") && log.wait { $0.opened.count == 1 })
    let start = ContinuousClock.now
    server.stop()
    #expect(ContinuousClock.now - start < .seconds(1))
    #expect(log.wait { $0.closed == [$0.opened[0]: 1001] })
    // The close frame of RFC 6455, section 5.5.1, with code 1001.
    #expect(raw.receiveAll().utf8.starts(with: "\u{FFFD}\u{2}\u{3}\u{FFFD}".utf8) && second.receiveAll() == "")
  }

  @Test("a slow reader is cut at 256 KiB while others continue")
  func slowReader() throws {
    let server = try makeServer()
    let log = EventLog(server)
    let slow = RawConnection(to: server.localAddresses[0], receiveBufferByteCount: 4_096)
    #expect(slow.upgrade().hasPrefix("HTTP/1.1 101") && log.wait { $0.opened.count == 1 })
    let client = try makeClient(try server.url())
    let received = EventLog(client)
    #expect(log.wait { $0.opened.count == 2 })
    let message = [UInt8](repeating: 0x61, count: 16_384)
    var (sent, isCut) = (0, false)
    for number in 1...200 where !isCut {
      isCut = !server.send(message, to: log.opened[0])
      if !isCut { sent += message.count }
      #expect(server.send(message, to: log.opened[1]) && received.wait { $0.messages.count == number })
    }
    // The kernel's buffers hold some more.
    #expect(isCut && sent >= 262_144 && sent < 1_048_576, "\(sent) bytes")
    #expect(log.wait { $0.closed.count == 1 } && log.closed[log.opened[0]] == 1008)
    #expect(server.counters.slowReaders == 1)
    #expect(server.send(message, to: log.opened[1]))
  }

  @Test("a connection over the limit is closed, and a later one is not")
  func connectionCount() throws {
    var limits = WebSocketLimits()
    limits.maximumConnectionCount = 2
    let server = try makeServer(limits: limits)
    let log = EventLog(server)
    let first = try makeClient(try server.url())
    let second = try makeClient(try server.url())
    try first.waitUntilOpen()
    try second.waitUntilOpen()
    #expect(throws: WebSocketError.self) { try makeClient(try server.url()).waitUntilOpen() }
    #expect(server.counters.overConnectionCount >= 1)
    first.close()
    #expect(log.wait { $0.closed.count == 1 })
    #expect(throws: Never.self) { try makeClient(try server.url()).waitUntilOpen() }
  }

  @Test("too many connections from one address are closed and counted")
  func connectionRate() throws {
    var limits = WebSocketLimits()
    (limits.connectionsPerSecond, limits.connectionBurst) = (1, 3)
    let server = try makeServer(limits: limits)
    var count = 0
    for _ in 0..<8 where RawConnection(to: server.localAddresses[0]).upgrade().hasPrefix("HTTP/1.1 101") { count += 1 }
    #expect((3...5).contains(count) && server.counters.overConnectionRate == 8 - count)
  }

  @Test("a consumer that is behind stops the reading, and loses nothing")
  func slowConsumer() throws {
    var limits = WebSocketLimits()
    (limits.maximumEventByteCount, limits.messagesPerSecond, limits.messageBurst) = (100_000, 1_000_000, 1_000_000)
    let server = try makeServer(limits: limits)
    let log = EventLog(server)
    let witness = try makeClient(try server.url())
    let seen = EventLog(witness)
    #expect(log.wait { $0.opened.count == 1 })
    limits.maximumQueuedByteCount = 10_000_000
    let client = try makeClient(try server.url(), limits: limits)
    for number in 0..<500 { #expect(client.send([UInt8](repeating: UInt8(0x30 + number % 10), count: 10_000))) }
    #expect(eventually { server.counters.receivedMessages >= 9 })
    // The server's thread turns at least once for each message to the other connection.
    for number in 1...300 {
      #expect(server.send([0x61], to: log.opened[0]) && seen.wait { $0.messages.count == number })
    }
    #expect(server.counters.receivedMessages <= 11)
    #expect(log.wait { $0.messages.count == 500 })
    let firsts = log.messages.map { $0.1.first }
    #expect(firsts == (0..<500).map { UInt8(0x30 + $0 % 10) } && log.messages.allSatisfy { $0.1.count == 10_000 })
  }
}
