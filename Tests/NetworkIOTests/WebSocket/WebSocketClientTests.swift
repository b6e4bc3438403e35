import NetworkIO
import Platform
import TestSupport
import Testing

/// The client against a server by the Python package websockets.
@Suite(
  .enabled("needs websockets from PyPI, which .ci/python could not install") { WebSocketPeer.python != nil },
  .timeLimit(.minutes(10)))
struct WebSocketClientTests {
  private func connect(_ peer: borrowing WebSocketPeer, _ path: String) throws -> WebSocketClient {
    try makeClient(try WebSocketURL("ws://127.0.0.1:\(peer.line())\(path)"))
  }

  @Test("messages from 0 bytes to 64 KiB come back unchanged")
  func echo() throws {
    let peer = WebSocketPeer("server")
    let client = try connect(peer, "/echo?token=secret")
    try client.waitUntilOpen()
    let log = EventLog(client)
    let sizes = [0, 1, 125, 126, 4_096, 65_535, 65_536]
    for size in sizes { #expect(client.send([UInt8](repeating: 0x61, count: size))) }
    #expect(!client.send([UInt8](repeating: 0x61, count: 65_537)))
    #expect(log.wait { $0.messages.count == sizes.count })
    #expect(log.messages.map(\.1) == sizes.map { [UInt8](repeating: 0x61, count: $0) })
    client.close(code: 4_004)
    #expect(log.wait { $0.closed.count == 1 })
    #expect(log.closed[client.connection] == 4_004 && peer.line(1) == "end 4004")
  }

  @Test(
    "the client answers a server's frames with the right code",
    arguments: [("/binary", 1003, "end 1003"), ("/long", 1009, "end 1009"), ("/close", 4_002, "")])
  func codes(path: String, code: UInt16, end: String) throws {
    let peer = WebSocketPeer("server")
    let client = try connect(peer, path)
    let log = EventLog(client)
    #expect(log.wait { $0.closed.count == 1 })
    #expect(log.closed[client.connection] == code && log.messages.isEmpty)
    if !end.isEmpty { #expect(peer.line(1) == end) }
  }

  @Test("a server's fragments arrive as one message")
  func fragments() throws {
    let peer = WebSocketPeer("server")
    let client = try connect(peer, "/fragments")
    let log = EventLog(client)
    #expect(log.wait { $0.messages.count == 1 } && log.messages[0].1 == Array("one message".utf8))
    client.stop()
    #expect(peer.line(1) == "end 1001")
  }

  @Test("a server without a WebSocket or the subprotocol is named", arguments: ["/none", "/bare"])
  func refused(path: String) throws {
    let peer = WebSocketPeer("server")
    let client = try connect(peer, path)
    let error = #expect(throws: WebSocketError.self) { try client.waitUntilOpen() }
    if path == "/bare" {
      #expect(error?.reason == .subprotocol)
    } else {
      guard case .notWebSocket = error?.reason else { return #expect(Bool(false), "\(String(describing: error))") }
    }
    #expect(EventLog(client).wait { $0.failures == [error] })
  }
}
