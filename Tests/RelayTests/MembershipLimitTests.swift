import NetworkIO
import Platform
import Signalling
import TestSupport
import Testing
import WebRTC

@testable import Relay

/// Limits of a connection that grow with the channels of its session.
@Suite(.timeLimit(.minutes(10))) struct MembershipLimitTests {
  private static let certificate = SimulatedRelay.certificates.client

  /// A client in channels "0", "1" ...
  private static func client(_ relay: SimulatedRelay, channels: Int) -> SimulatedClient {
    let client = relay.client(SimulatedRelay.token(uid: 1, channel: "*"))
    for channel in 0..<channels { client.join("\(channel)", uid: 1) }
    return client
  }

  @Test("a session joins 100 channels, and one more is refused by name", .shows("C1", "C21"))
  func channels() {
    let relay = SimulatedRelay()
    let client = Self.client(relay, channels: 101)
    #expect(
      client.takeEvents() == ["welcome"] + Array(repeating: "joined 1 []", count: 100)
        + ["failed -5/10 channels 100"])
    #expect(relay.core.transportCount == 100)
  }

  @Test("a further channel allows 20 more requests in a second", .shows("C21"))
  func requests() {
    let relay = SimulatedRelay { $0.limits.requestsPerSecond = 20 }
    let client = Self.client(relay, channels: 5)
    for _ in 0..<94 { client.send(.ping(PingRequest(id: 1))) }
    #expect(client.closedCode == nil)
    client.send(.ping(PingRequest(id: 1)))
    #expect(client.takeEvents().last == "failed -5/3 requests-per-second 100" && client.closedCode == 1008)
  }

  @Test("a further channel lets 64 KiB more wait", .shows("C21"), arguments: [1, 2, 100])
  func queue(channels: Int) {
    let relay = SimulatedRelay()
    let client = Self.client(relay, channels: channels)
    relay.core.setBacklog(262_144 + 65_536 * (channels - 1), of: client.connection)
    #expect(relay.core.takeDisconnect() == nil)
    relay.core.setBacklog(262_145 + 65_536 * (channels - 1), of: client.connection)
    #expect(relay.core.takeDisconnect()?.code == 1013)
  }

  @Test("the WebSocket's limits are above those of the relay", .shows("C21"), arguments: [1, 100, 1_000])
  func sockets(channels: Int) {
    var configuration = SimulatedRelay.configuration
    configuration.limits.channelsPerSession = channels
    let limits = WebSocketLimits().allowing(configuration)
    let relay = configuration.limits
    let queued = relay.queuedByteCount(memberCount: channels)
    #expect(limits.maximumQueuedByteCount == queued + MessageLimits.messageByteCount)
    #expect(limits.messagesPerSecond >= 2 * relay.requestsPerSecond(memberCount: channels))
    #expect(limits.messageBurst >= 2 * relay.requestsPerSecond(memberCount: channels))
  }

  // MARK: A relay with sockets

  private struct Socket {
    let client: WebSocketClient
    var joined: [JoinedAnswer] = []
    var welcome: WelcomeAnswer?
    var closedCode: UInt16?

    init(_ relay: RelayServer) throws {
      client = try WebSocketClient(
        url: WebSocketURL("ws://\(relay.localAddresses[0])"), subprotocol: WireConventions.subprotocol)
    }

    func send(_ message: ClientMessage) { client.send(Array(message.text.utf8)) }

    /// Joins channels "0", "1" ... at once.
    func join(_ channels: Int, _ user: UserIdentity, autoSubscribe: Bool) {
      for channel in 0..<channels {
        let credentials = ICECredentials()
        let transport = TransportParameters(
          ufrag: credentials.fragment, password: SecretText(credentials.password),
          fingerprint: MembershipLimitTests.certificate.fingerprint, setup: .actpass)
        send(
          .join(
            JoinRequest(
              id: UInt32(channel + 2), channel: ChannelName("\(channel)")!, user: user, role: .broadcaster,
              publishes: true, autoSubscribe: autoSubscribe, media: .transport(transport))))
      }
    }

    /// Reads until so many answers to joins are there, for a minute at most.
    mutating func read(_ count: Int) throws {
      joined = []
      for _ in 0..<600 where joined.count < count && closedCode == nil {
        for event in client.takeEvents(waitingAtMost: 100_000_000) {
          switch event {
          case .message(_, let bytes):
            switch try RelayMessage(reading: String(decoding: bytes, as: UTF8.self)) {
            case .welcome(let answer)?: welcome = answer
            case .joined(let answer)?: joined.append(answer)
            case .failed(let report)?: Issue.record("\(report.sentence)")
            default: break
            }
          case .closed(_, let code): closedCode = code
          case .failed: closedCode = 0
          case .opened: break
          }
        }
      }
    }
  }

  @Test("100 joins after a resume keep the connection", .shows("C1", "C1a", "C21"))
  func resumed() throws {
    var configuration = SimulatedRelay.configuration
    configuration.mediaAddresses = []
    let relay = try RelayServer(configuration, at: [SocketAddress("127.0.0.1:0")])
    try relay.start()
    defer { relay.stop() }
    let app = SessionCredential.app(SimulatedRelay.openApp)
    // The longest accounts, so that the answers are long.
    for number in 10..<26 {
      let account = try #require(UserAccount("\(number)" + String(repeating: "a", count: 253)))
      var socket = try Socket(relay)
      socket.send(.hello(HelloRequest(id: 1, credential: app)))
      socket.join(100, .account(account), autoSubscribe: false)
      try socket.read(100)
      // The users stay for a while.
      socket.client.stop()
    }
    var resume: SecretText?
    for attempt in 0..<2 {
      var socket = try Socket(relay)
      socket.send(.hello(HelloRequest(id: 1, credential: app, user: .uid(7), resume: resume)))
      socket.join(100, .uid(7), autoSubscribe: true)
      try socket.read(100)
      #expect(socket.joined.count == 100 && socket.closedCode == nil && socket.welcome?.resumed == (attempt == 1))
      #expect(socket.joined.allSatisfy { $0.users.count == 16 })
      resume = socket.welcome?.resume
      socket.client.stop()
    }
  }
}
