import Platform
import TestSupport
import Testing

@testable import NetworkIO

/// GET requests, to servers of this process.
@Suite(.timeLimit(.minutes(10))) struct HTTPRequestTests {
  private static func request(_ server: HTTPServer, _ path: String) throws -> HTTPRequest {
    try HTTPRequest("http://\(server.localAddress)\(path)")
  }

  @Test("the body of an answer is read whole", arguments: [0, 1, 100_000])
  func body(byteCount: Int) throws {
    let body = (0..<byteCount).map { UInt8(truncatingIfNeeded: $0 % 251) }
    let server = try HTTPServer(at: SocketAddress("127.0.0.1:0")) { path in
      path == "/metrics" ? HTTPAnswer(body: body) : nil
    }
    #expect(try Self.request(server, "/metrics").body() == body)
  }

  @Test("another status than 200 is named")
  func status() throws {
    let server = try HTTPServer(at: SocketAddress("127.0.0.1:0")) { path in
      path == "/healthz" ? HTTPAnswer(status: 503, text: "draining") : nil
    }
    for (path, status) in [("/healthz", 503), ("/other", 404)] {
      let request = try Self.request(server, path)
      let error = #expect(throws: HTTPRequestError.self) { try request.body() }
      #expect(error?.reason == .answer("its status is \(status)"))
      #expect(error?.description.contains(request.description) == true)
    }
  }

  @Test("a closed port and a silent server are told apart")
  func unreachable() throws {
    // The kernel takes the connections of a socket that listens; nobody answers them.
    let silent = try ListeningSocket(at: SocketAddress("127.0.0.1:0"))
    let request = try HTTPRequest("http://\(silent.localAddress)/metrics")
    let error = #expect(throws: HTTPRequestError.self) { try request.body(limitNanoseconds: 20_000_000) }
    #expect(error?.reason == .limit)
    var server: HTTPServer? = try HTTPServer(at: SocketAddress("127.0.0.1:0")) { _ in nil }
    let closed = try HTTPRequest("http://\(#require(server).localAddress)/")
    server?.stop()
    server = nil
    let refusal = #expect(throws: HTTPRequestError.self) { try closed.body() }
    guard case .unreachable = refusal?.reason else {
      Issue.record("\(String(describing: refusal))")
      return
    }
  }

  @Test("URLs of other forms are refused, and https by its name")
  func urls() {
    for text in [
      "", "127.0.0.1:9090", "ws://127.0.0.1:9090/", "http:127.0.0.1", "http://", "http://a b/", "http://a:0/",
    ] {
      #expect(#expect(throws: HTTPRequestError.self) { try HTTPRequest(text) }?.reason == .url, "\(text)")
    }
    let error = #expect(throws: HTTPRequestError.self) { try HTTPRequest("HTTPS://relay.example/metrics") }
    #expect(error?.reason == .encrypted && error?.description.contains("https://") == true)
    #expect((try? HTTPRequest("http://[::1]/metrics"))?.description == "http://[::1]:80/metrics")
  }
}
