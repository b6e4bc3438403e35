import NetworkIO
import Platform
import TestSupport
import Testing

/// HTTP requests beside the WebSocket.
@Suite(.timeLimit(.minutes(10))) struct WebSocketRequestTests {
  @Test(
    "GET requests are answered by the caller, others by the server",
    arguments: [
      ("GET /healthz", "200 OK", "well"), ("GET /metrics?all", "503 Service Unavailable", "none"),
      ("GET /other", "404 Not Found", "not found\n"), ("GET /", "426 Upgrade Required", "this path is a WebSocket\n"),
      ("POST /healthz", "405 Method Not Allowed", "only GET is known\n"),
    ])
  func answers(request: String, status: String, body: String) throws {
    let server = try makeServer { path in
      switch path {
      case "/healthz": HTTPAnswer(text: "well")
      case "/metrics": HTTPAnswer(status: 503, contentType: "text/x", body: Array("none".utf8))
      default: nil
      }
    }
    let raw = RawConnection(to: server.localAddresses[0])
    raw.send("\(request) HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n")
    let answer = raw.receiveAll()
    #expect(answer.hasPrefix("HTTP/1.1 \(status)\r\nContent-Type: text/") && answer.hasSuffix("\r\n\r\n" + body))
    #expect(answer.contains("\r\nContent-Length: \(body.utf8.count)\r\n"))
    #expect(server.counters.requests == 1 && server.takeEvents().isEmpty)
  }

  @Test(
    "pages of other origins are refused by a rule, programs are accepted",
    arguments: [
      (nil, "localhost", true), ("http://localhost:7000", "localhost:7000", true), ("https://a.example", "x", true),
      ("HTTP://LocalHost:7000", "localhost:7000", true), ("http://localhost:7001", "localhost:7000", false),
      ("https://b.example", "x", false), ("null", "null", false), ("https://a.example.evil.example", "x", false),
      ("://x", "x", true), ("x", "x", false), ("http://evil.example/localhost", "localhost", false),
      (String(repeating: "a", count: 600), "localhost", false),
    ])
  func origins(origin: String?, host: String, isAllowed: Bool) throws {
    var limits = WebSocketLimits()
    limits.origins = .ownHost(or: ["https://a.example"])
    let server = try makeServer(limits: limits)
    let answer = RawConnection(to: server.localAddresses[0]).upgrade(host: host, origin: origin)
    #expect(answer.hasPrefix(isAllowed ? "HTTP/1.1 101" : "HTTP/1.1 403 Forbidden"), "\(answer)")
    server.setOrigins(.any)
    #expect(
      eventually {
        RawConnection(to: server.localAddresses[0]).upgrade(host: host, origin: origin).hasPrefix("HTTP/1.1 101")
      })
  }

  @Test("a message behind the handshake arrives, with RFC 6455's accept key")
  func early() throws {
    let server = try makeServer()
    let log = EventLog(server)
    let raw = RawConnection(to: server.localAddresses[0])
    // Source: RFC 6455, section 5.7: "Hello" in one frame, and in two with a ping between them.
    let hello: [UInt8] = [0x81, 0x85, 0x37, 0xFA, 0x21, 0x3D, 0x7F, 0x9F, 0x4D, 0x51, 0x58]
    let unmasked: [UInt8] = [0, 0, 0, 0]
    let first = [0x01, 0x83] + unmasked + Array("Hel".utf8)
    let ping = [0x89, 0x82] + unmasked + Array("hi".utf8)
    let last = [0x80, 0x82] + unmasked + Array("lo".utf8)
    // Source: RFC 6455, section 1.3.
    #expect(raw.upgrade(then: hello + first + ping + last).contains("s3pPLMBiTxaQ9kYGzzhZRbK+xOo="))
    #expect(log.wait { $0.messages.count == 2 })
    #expect(log.messages.allSatisfy { $0.1 == Array("Hello".utf8) })
  }

  @Test("random frames end their own connections only", arguments: [1, 2])
  func randomFrames(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    var limits = WebSocketLimits()
    limits.connectionBurst = 1_000
    let server = try makeServer(limits: limits)
    let client = try makeClient(try server.url())
    let log = EventLog(server)
    #expect(log.wait { $0.opened.count == 1 })
    for number in 2...150 {
      let raw = RawConnection(to: server.localAddresses[0])
      // The first byte is often a frame that exists, and the second one masked.
      var frames: [UInt8] = []
      let kinds: [UInt8] = [0x81, 0x01, 0x80, 0x88, 0x89, 0x8A, 0xFF]
      for _ in 0..<Int.random(in: 1...8, using: &generator) {
        frames += [kinds.randomElement(using: &generator) ?? 0, .random(in: 0x70...0xFF, using: &generator)]
        for _ in 0..<Int.random(in: 0...200, using: &generator) {
          frames.append(.random(in: 0...255, using: &generator))
        }
      }
      #expect(raw.upgrade(then: frames).contains(" 101 "), "seed \(seed), \(number)")
    }
    #expect(log.wait { $0.opened.count == 150 && $0.closed.count == 149 }, "seed \(seed)")
    #expect(client.send([0x61]) && log.wait { $0.messages.contains { $0 == log.opened[0] && $1 == [0x61] } })
  }

  @Test("an answer of 1 MiB arrives whole")
  func large() throws {
    let server = try makeServer { _ in HTTPAnswer(text: String(repeating: "m", count: 1_048_576)) }
    let raw = RawConnection(to: server.localAddresses[0], receiveBufferByteCount: 4_096)
    raw.send("GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n")
    #expect(raw.receiveAll().utf8.count { $0 == UInt8(ascii: "m") } >= 1_048_576)
  }

  @Test(
    "requests that are not HTTP end their connection",
    arguments: [
      "\u{1}\u{2}\u{3}\r\n\r\n", "GET\r\n\r\n", "GET / HTTP/1.1\r\nUpgrade: h2c\r\nConnection: Upgrade\r\n\r\n",
    ])
  func garbage(request: String) throws {
    var limits = WebSocketLimits()
    limits.handshakeNanoseconds = 300_000_000
    let server = try makeServer(limits: limits)
    let raw = RawConnection(to: server.localAddresses[0])
    raw.send(request)
    #expect(!raw.receiveAll().contains(" 101 ") && server.takeEvents().isEmpty)
    let client = try makeClient(try server.url())
    #expect(throws: Never.self) { try client.waitUntilOpen() }
  }
}
