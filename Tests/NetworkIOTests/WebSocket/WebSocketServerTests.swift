import NetworkIO
import Platform
import TestSupport
import Testing

/// Clients are programs that use the Python package websockets.
@Suite(
  .enabled("needs websockets from PyPI, which .ci/python could not install") { WebSocketPeer.python != nil },
  .timeLimit(.minutes(10)))
struct WebSocketServerTests {
  private func echo(
    _ scenario: String, limits: WebSocketLimits = WebSocketLimits()
  ) throws -> (String, WebSocketCounters) {
    let server = try makeServer(limits: limits)
    let log = EventLog(server)
    let peer = WebSocketPeer("client", try server.url().description, scenario)
    #expect(log.wait(onMessage: { server.send($1, to: $0) }, until: { $0.closed.count == 1 }))
    return (peer.line(), server.counters)
  }

  @Test("messages from 0 bytes to 64 KiB come back unchanged", arguments: ["echo", "several"])
  func sizes(scenario: String) throws {
    let (result, counters) = try echo(scenario)
    #expect(result == "same audiopipe.v1")
    #expect(counters.receivedMessages == 10 && counters.sentMessages == 10)
  }

  @Test("the fragments of a message arrive as one")
  func fragments() throws {
    let (result, counters) = try echo("fragments")
    #expect(result == "same" && counters.receivedMessages == 1)
  }

  @Test("a message of one byte too many ends with code 1009", arguments: ["long", "longFragments"])
  func tooLong(scenario: String) throws {
    let (result, counters) = try echo(scenario)
    #expect(
      result == "1009" && counters.longMessages == 1 && counters.receivedMessages == 0, "\(result) \(counters)")
  }

  @Test("a binary message ends with code 1003")
  func binary() throws {
    let (result, counters) = try echo("binary")
    #expect(result == "1003" && counters.binaryMessages == 1 && counters.receivedMessages == 0)
  }

  @Test("text that is not UTF-8 ends with code 1007")
  func invalid() throws {
    let (result, counters) = try echo("invalid")
    #expect(result == "1007" && counters.violations == 1 && counters.receivedMessages == 0)
  }

  @Test("a peer with too many messages is closed with code 1008")
  func flood() throws {
    var limits = WebSocketLimits()
    (limits.messagesPerSecond, limits.messageBurst) = (1, 20)
    let (result, counters) = try echo("flood", limits: limits)
    #expect(result == "1008" && counters.overMessageRate == 1, "\(result) \(counters)")
    #expect((20...40).contains(counters.receivedMessages))
  }

  @Test("the code of the peer's close frame is reported")
  func peerCloses() throws {
    let server = try makeServer()
    let log = EventLog(server)
    let peer = WebSocketPeer("client", try server.url().description, "close")
    #expect(log.wait { $0.closed.count == 1 })
    #expect(log.closed[log.opened[0]] == 4_001 && peer.line() == "closed")
    #expect(log.addresses[0].hasSameHost(as: try SocketAddress("127.0.0.1:1")))
  }

  @Test("a close frame comes behind the queued messages, with its code")
  func closes() throws {
    let server = try makeServer()
    let log = EventLog(server)
    let peer = WebSocketPeer("client", try server.url().description, "wait")
    #expect(log.wait { $0.opened.count == 1 })
    for _ in 0..<3 { server.send(Array("x".utf8), to: log.opened[0]) }
    server.close(log.opened[0], code: 4_003, reason: String(repeating: "ü", count: 100))
    #expect(!server.send([0x61], to: log.opened[0]))
    #expect(log.wait { $0.closed.count == 1 })
    #expect(log.closed[log.opened[0]] == 4_003 && peer.line() == "4003" && server.counters.sentMessages == 3)
  }

  @Test("a client without the subprotocol or at another path is refused")
  func refused() throws {
    let server = try makeServer()
    let url = try server.url().description
    #expect(WebSocketPeer("client", url, "bare").line() == "status 400")
    #expect(WebSocketPeer("client", url + "other", "echo").line() == "status 404")
    #expect(server.takeEvents().isEmpty)
  }

  @Test("stop sends close frames with code 1001 within 1 s")
  func stops() throws {
    let server = try makeServer()
    let log = EventLog(server)
    let peer = WebSocketPeer("client", try server.url().description, "wait")
    #expect(log.wait { $0.opened.count == 1 })
    let start = ContinuousClock.now
    server.stop()
    #expect(ContinuousClock.now - start < .seconds(1))
    #expect(log.wait { $0.closed.count == 1 } && log.closed[log.opened[0]] == 1001)
    #expect(peer.line() == "1001" && !server.send([0x61], to: log.opened[0]))
  }
}
