import NetworkIO
import Platform
import TestSupport
import Testing

/// HTTP without a WebSocket.
@Suite(.timeLimit(.minutes(10))) struct HTTPServerTests {
  private func ask(_ head: String, of server: HTTPServer) -> String {
    let raw = RawConnection(to: server.localAddress)
    raw.send(head + "Host: localhost\r\n\r\n")
    return raw.receiveAll()
  }

  @Test("GET requests are answered, at any path", arguments: ["/", "/metrics", "/other"])
  func answers(path: String) throws {
    let server = try HTTPServer(at: SocketAddress("127.0.0.1:0")) { path in
      path == "/other" ? nil : HTTPAnswer(contentType: "text/plain; version=0.0.4", body: Array("at \(path)".utf8))
    }
    let answer = ask("GET \(path) HTTP/1.1\r\n", of: server)
    if path == "/other" {
      #expect(answer.hasPrefix("HTTP/1.1 404 "))
    } else {
      #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\nContent-Type: text/plain; version=0.0.4\r\n"))
      #expect(answer.hasSuffix("\r\n\r\nat \(path)"))
    }
    #expect(server.counters.requests == 1)
  }

  @Test("a request for a WebSocket is refused")
  func webSocket() throws {
    let server = try HTTPServer(at: SocketAddress("127.0.0.1:0")) { _ in HTTPAnswer(text: "ok") }
    let upgrade =
      "GET / HTTP/1.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
      + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Protocol: http\r\n"
    #expect(ask(upgrade, of: server).hasPrefix("HTTP/1.1 404 "))
    #expect(ask("GET / HTTP/1.1\r\n", of: server).hasSuffix("ok"))
  }

  @Test("an address that is in use is named")
  func inUse() throws {
    let server = try HTTPServer(at: SocketAddress("127.0.0.1:0")) { _ in nil }
    #expect(throws: WebSocketError.self) { _ = try HTTPServer(at: server.localAddress) { _ in nil } }
  }
}
