import NetworkIO
import Testing

@Suite(.timeLimit(.minutes(10))) struct WebSocketURLTests {
  @Test(
    "a URL gives its scheme, host and port, and hides its query",
    arguments: [
      ("ws://relay.example", false, "relay.example", 80, "ws://relay.example:80/"),
      ("WSS://relay.example/signal?token=a", true, "relay.example", 443, "wss://relay.example:443/signal"),
      ("wss://[2001:db8::1]:8443/", true, "2001:db8::1", 8_443, "wss://[2001:db8::1]:8443/"),
      ("ws://127.0.0.1:65535?a=b", false, "127.0.0.1", 65_535, "ws://127.0.0.1:65535/"),
      ("ws://[::1]", false, "::1", 80, "ws://[::1]:80/"),
    ])
  func parts(text: String, hasTLS: Bool, host: String, port: UInt16, description: String) throws {
    let url = try WebSocketURL(text)
    #expect(url.hasTLS == hasTLS && url.host == host && url.port == port && url.description == description)
  }

  @Test(
    "other texts are refused",
    arguments: [
      "", "ws", "ws:", "ws:/", "ws://", "http://a", "wss:a", "ws:///path", "ws://:80/", "ws://a:0/", "ws://a:65536/",
      "ws://a:/", "ws://a:+1/", "ws://a b/", "ws://a/b c", "ws://a/\r\nX: y", "ws://a/#b", "ws://user@a/", "ws://a:b@c/",
      "ws://ä/", "ws://[::1/", "ws://::1/", "ws://[::1]x/", "ws://a,b/", "ws://" + String(repeating: "a", count: 254),
      "ws://a/" + String(repeating: "b", count: 3_000),
    ])
  func refused(text: String) {
    let error = #expect(throws: WebSocketError.self) { try WebSocketURL(text) }
    #expect(error?.reason == .url)
  }

  @Test("the error of a URL has neither its query nor its user")
  func secrets() {
    let error = #expect(throws: WebSocketError.self) { try WebSocketURL("wss://ann:secret@relay/path?token=hidden#") }
    #expect(error?.place == "relay/path" && error?.description.contains("relay") == true)
  }
}
