import NetworkIO
import Platform
import Signalling
import TestSupport
import Testing

@testable import Relay

/// Clients with real sockets that no longer read.
@Suite(.timeLimit(.minutes(10))) struct StalledReaderTests {
  private static let body = String(repeating: "x", count: 16_384)

  /// A client that stops reading if nobody takes its events.
  private static func client(_ relay: RelayServer, uid: UInt32) throws -> WebSocketClient {
    var limits = WebSocketLimits()
    limits.maximumQueuedByteCount = 16 << 20
    let client = try WebSocketClient(
      url: WebSocketURL("ws://\(relay.localAddresses[0])"), subprotocol: WireConventions.subprotocol, limits: limits)
    try client.waitUntilOpen()
    let hello = HelloRequest(id: 1, credential: .app(SimulatedRelay.openApp), user: .uid(uid))
    client.send(Array(ClientMessage.hello(hello).text.utf8))
    return client
  }

  /// Returns the messages that came within 100 ms.
  private static func answers(_ client: WebSocketClient) throws -> [RelayMessage] {
    try client.takeEvents(waitingAtMost: 100_000_000).compactMap { event in
      guard case .message(_, let bytes) = event else { return nil }
      return try RelayMessage(reading: String(decoding: bytes, as: UTF8.self))
    }
  }

  @Test("messages of users never end a stalled reader, the relay's limit does", .shows("C23", "C21", "attack"))
  func stalled() throws {
    var configuration = SimulatedRelay.configuration
    configuration.mediaAddresses = []
    configuration.limits.messagesPerSecond = 10_000
    configuration.limits.requestsPerSecond = 100_000
    let relay = try RelayServer(configuration, at: [SocketAddress("127.0.0.1:0")])
    try relay.start()
    defer { relay.stop() }
    let (victim, sender) = (try Self.client(relay, uid: 1), try Self.client(relay, uid: 2))
    defer { for client in [victim, sender] { client.stop() } }
    #expect(eventually { relay.statistics.sessions == 2 })
    // The network takes some MiB, and then the queue fills to its half.
    let text = Array(ClientMessage.message(MessageRequest(id: 2, to: .uid(1), body: Self.body)).text.utf8)
    var (delivered, refused) = (0, 0)
    for _ in 0..<100 where refused < 100 && relay.statistics.connections == 2 {
      let answers = delivered + refused + 40
      for _ in 0..<40 { sender.send(text) }
      for _ in 0..<100 where delivered + refused < answers && relay.statistics.connections == 2 {
        for answer in try Self.answers(sender) {
          switch answer {
          case .delivered: delivered += 1
          case .failed(let report):
            #expect(report.limit?.name == "waiting-message-bytes" && report.limit?.value == 131_072)
            refused += 1
          default: break
          }
        }
      }
    }
    #expect(delivered >= 7 && refused >= 100)
    #expect(relay.statistics.counters.disconnects == 0 && relay.statistics.connections == 2)
    // The other half is for the answers to the client's own requests.
    let ping = Array(ClientMessage.ping(PingRequest(id: 3)).text.utf8)
    let answer = RelayMessage.pong(PongAnswer(id: 3, time: 1_800_000_000_000)).text.utf8.count
    var pings = 0
    while pings < 50_000, relay.statistics.counters.disconnects == 0 {
      let before = relay.statistics.counters.messages
      for _ in 0..<200 { victim.send(ping) }
      pings += 200
      _ = eventually { relay.statistics.counters.messages >= before + 200 || relay.statistics.connections == 1 }
    }
    #expect(eventually { relay.statistics.counters.disconnects == 1 && relay.statistics.connections == 1 })
    #expect((100_000..<1_048_576).contains(pings * answer), "\(pings) answers of \(answer) bytes")
    #expect(relay.webSocketCounters.slowReaders == 0)
  }
}
