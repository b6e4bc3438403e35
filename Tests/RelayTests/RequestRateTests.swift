import NetworkIO
import Platform
import Signalling
import TestSupport
import Testing

@testable import Relay

/// The limit of requests at a relay with sockets.
@Suite(.timeLimit(.minutes(10))) struct RequestRateTests {
  private static func configuration(_ requests: Int) -> RelayConfiguration {
    var configuration = SimulatedRelay.configuration
    configuration.mediaAddresses = []
    configuration.limits.requestsPerSecond = requests
    configuration.banNanoseconds = 0
    return configuration
  }

  /// Sends pings at once on a new connection.
  ///
  /// - Returns: Count of the answers, the limit of a refusal, and the code of the end.
  private static func flood(_ relay: RelayServer, pings: Int) throws -> (pongs: Int, limit: NamedLimit?, code: UInt16?)
  {
    let client = try WebSocketClient(
      url: WebSocketURL("ws://\(relay.localAddresses[0])"), subprotocol: "audiopipe.v1")
    defer { client.stop() }
    func send(_ message: ClientMessage) { client.send(Array(message.text.utf8)) }
    send(.hello(HelloRequest(id: 1, credential: .app(SimulatedRelay.openApp))))
    for id in 1...pings { send(.ping(PingRequest(id: UInt32(id)))) }
    var (pongs, limit) = (0, NamedLimit?.none)
    for _ in 0..<600 {
      for event in client.takeEvents(waitingAtMost: 100_000_000) {
        switch event {
        case .message(_, let bytes):
          switch try RelayMessage(reading: String(decoding: bytes, as: UTF8.self)) {
          case .pong?: pongs += 1
          case .failed(let report)?: limit = report.limit
          default: break
          }
        case .closed(_, let code): return (pongs, limit, code)
        case .failed: return (pongs, limit, nil)
        case .opened: break
        }
      }
      if pongs == pings { return (pongs, limit, nil) }
    }
    return (pongs, limit, nil)
  }

  @Test("a raised limit of requests holds, and its refusal names it", .shows("C21"))
  func raised() throws {
    let relay = try RelayServer(Self.configuration(2_000), at: [SocketAddress("127.0.0.1:0")])
    try relay.start()
    defer { relay.stop() }
    #expect(try Self.flood(relay, pings: 1_500).pongs == 1_500)
    let refused = try Self.flood(relay, pings: 2_500)
    #expect(refused.limit?.name == "requests-per-second" && refused.limit?.value == 2_000 && refused.code == 1008)
  }

  @Test("a limit of requests changes while the relay runs", .shows("C21", "relay reload"))
  func changed() throws {
    let relay = try RelayServer(Self.configuration(20), at: [SocketAddress("127.0.0.1:0")])
    try relay.start()
    defer { relay.stop() }
    #expect(try Self.flood(relay, pings: 30).limit?.value == 20)
    relay.reconfigure(Self.configuration(1_500))
    // The relay takes other settings within 100 ms.
    SystemClock().wait(untilNanoseconds: SystemClock().nowNanoseconds + 300_000_000)
    #expect(try Self.flood(relay, pings: 1_200).pongs == 1_200)
  }
}
