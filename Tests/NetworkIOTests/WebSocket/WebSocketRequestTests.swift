import NetworkIO
import Platform
import TestSupport
import Testing

/// HTTP requests beside the WebSocket.
@Suite(.timeLimit(.minutes(10))) struct WebSocketRequestTests {
  @Test(
    "GET requests are answered by the caller, and other requests by the server",
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
