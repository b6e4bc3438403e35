import Cryptography
import Signalling
import TestSupport
import Testing
import WebRTC

@testable import Relay

/// Ends, renewals and limits of preloads.
@Suite(.timeLimit(.minutes(10))) struct PreloadEndTests {
  private static func client(_ relay: SimulatedRelay, _ token: String? = nil) -> SimulatedClient {
    let client = relay.client(token ?? SimulatedRelay.token(uid: 1, channel: "*"))
    _ = client.takeEvents()
    return client
  }

  /// Runs for a time in which every client with a connection sends a ping each second.
  private static func run(_ relay: SimulatedRelay, seconds: Int) {
    for _ in 0..<seconds {
      for client in relay.clients where client.closedCode == nil { client.send(.ping(PingRequest(id: 1))) }
      relay.run(1_000)
    }
  }

  private static func preloads(_ relay: SimulatedRelay) -> [Preload] { relay.core.sessions.ordered[0].preloads }

  private static func events(_ client: SimulatedClient) -> [String] { client.takeEvents().filter { $0 != "pong" } }

  @Test("a preload of the same channel and user replaces the earlier one", .shows("C13"))
  func replaced() {
    let relay = SimulatedRelay()
    let client = Self.client(relay, SimulatedRelay.token(channel: "lobby"))
    let first = client.preload(uid: 1)
    relay.run(500)
    let second = client.preload(uid: 1)
    client.preload(uid: 2)
    relay.run(500)
    #expect(relay.core.transportCount == 2 && !first.isConnected && second.isConnected)
    #expect(client.join(uid: 1, role: .audience, preloaded: true) === second)
  }

  @Test("the 21st preload of a session ends the oldest without a report", .shows("C13", "C21", "attack"))
  func limit() {
    let relay = SimulatedRelay()
    let client = Self.client(relay)
    for channel in 0..<20 { client.preload("\(channel)", uid: 1) }
    relay.run(500)
    #expect(client.preloads.map(\.isConnected) == Array(repeating: true, count: 20))
    client.preload("20", uid: 1)
    relay.run(500)
    #expect(relay.core.transportCount == 20 && client.preloads.map(\.isConnected).firstIndex(of: true) == 1)
    #expect(Self.preloads(relay).map(\.channel.text) == (1...20).map { "\($0)" })
    #expect(client.takeEvents() == Array(repeating: "preloaded", count: 21))
    client.join("0", uid: 1, role: .audience, preloaded: true)
    client.join("1", uid: 1, role: .audience, preloaded: true)
    #expect(client.takeEvents() == ["joined 1 []", "joined 1 preloaded []"])
  }

  @Test("a preload ends with its token, also by a calendar step", .shows("C13", "C12"), arguments: [true, false])
  func expired(hasStep: Bool) {
    let relay = SimulatedRelay()
    let client = Self.client(relay)
    let media = client.preload(uid: 1, token: SimulatedRelay.token(uid: 1, seconds: 20))
    Self.run(relay, seconds: 19)
    #expect(relay.core.transportCount == 1 && media.isConnected)
    if hasStep {
      relay.core.setClock(unixMilliseconds: SimulatedRelay.unixMilliseconds + 20_000, nowNanoseconds: relay.now)
      relay.run(100)
    } else {
      Self.run(relay, seconds: 1)
      relay.run(100)
    }
    #expect(relay.core.transportCount == 0 && relay.core.routeCount == 0 && !media.isConnected)
    #expect(Self.events(client) == ["preloaded"])
  }

  @Test("a preload ends with the token of its session", .shows("C13", "C12"))
  func session() {
    let relay = SimulatedRelay()
    let client = Self.client(relay, SimulatedRelay.token(uid: 1, seconds: 60))
    client.preload(uid: 1)
    client.preload("hall", uid: 1, token: SimulatedRelay.token(uid: 1, channel: "hall"))
    Self.run(relay, seconds: 61)
    #expect(relay.core.transportCount == 0)
    #expect(Self.events(client) == ["preloaded", "preloaded", "tokenWillExpire 30000", "failed -109/9"])
    client.preload(uid: 1)
    #expect(Self.events(client) == ["failed -109"])
  }

  @Test("the end of a connection ends its preloads, and the unused session", .shows("C13", "C9"))
  func connection() {
    let relay = SimulatedRelay()
    let client = Self.client(relay)
    client.preload(uid: 1)
    client.preload("hall", uid: 1)
    relay.run(500)
    relay.close(client.connection)
    #expect(relay.core.transportCount == 0 && relay.core.routeCount == 0)
    #expect(relay.core.sessionCount == 0 && relay.core.nextDeadlineNanoseconds == nil)
  }

  @Test("a session that continues on another connection has no preloads", .shows("C13", "C9"))
  func resumed() {
    let relay = SimulatedRelay()
    let client = Self.client(relay)
    client.join(uid: 1, role: .audience)
    client.preload("hall", uid: 1)
    relay.run(500)
    client.reconnect()
    client.hello(SimulatedRelay.token(uid: 1, channel: "*"), resume: client.resume)
    client.join("hall", uid: 1, role: .audience, preloaded: true)
    #expect(client.takeEvents() == ["joined 1 []", "preloaded", "welcome resumed", "joined 1 []"])
    #expect(relay.core.transportCount == 2)
  }

  @Test("a preload without checks for 30 s ends, its session stays", .shows("C13"))
  func consent() {
    let relay = SimulatedRelay()
    let client = Self.client(relay)
    let media = client.preload(uid: 1)
    Self.run(relay, seconds: 120)
    #expect(relay.core.transportCount == 1 && media.isConnected)
    relay.cut.insert(media.address)
    // The last check may be 6 s old.
    Self.run(relay, seconds: 23)
    #expect(relay.core.transportCount == 1)
    Self.run(relay, seconds: 8)
    #expect(relay.core.transportCount == 0 && relay.core.sessionCount == 1 && client.closedCode == nil)
    #expect(Self.events(client) == ["preloaded"])
  }

  @Test("a preload that no client connects to ends after 30 s", .shows("C13", "attack"))
  func unused() {
    let relay = SimulatedRelay()
    let client = Self.client(relay)
    relay.cut.insert(client.preload(uid: 1).address)
    Self.run(relay, seconds: 31)
    #expect(relay.core.transportCount == 0 && Self.events(client) == ["preloaded"])
  }

  @Test("a preload with a false fingerprint ends", .shows("C13", "attack"))
  func certificate() {
    let relay = SimulatedRelay()
    let client = Self.client(relay)
    let media = client.preload(uid: 1, fingerprint: SimulatedRelay.certificates.relay.fingerprint)
    relay.run(2_000)
    #expect(relay.core.transportCount == 0 && !media.isConnected && Self.events(client) == ["preloaded"])
  }

  @Test("another preload has another token, which the join then needs", .shows("C13", "C12"))
  func renewed() {
    let relay = SimulatedRelay()
    let client = Self.client(relay)
    let tokens = [20, 7_200].map { SimulatedRelay.token(uid: 1, channel: "hall", seconds: $0) }
    client.preload("hall", uid: 1, token: tokens[0])
    client.renew(tokens[1], channel: "hall")
    client.preload("hall", uid: 1, token: tokens[1])
    // `renewToken` is for channels that are joined.
    #expect(client.takeEvents() == ["preloaded", "failed -8", "preloaded"])
    Self.run(relay, seconds: 30)
    client.join("hall", uid: 1, role: .audience, token: tokens[1], preloaded: true)
    #expect(Self.events(client) == ["joined 1 preloaded []"])
  }

  @Test("a renewed token of a channel leaves its preload as it is", .shows("C13", "C12"))
  func member() {
    let relay = SimulatedRelay()
    let client = Self.client(relay)
    let token = SimulatedRelay.token(uid: 1, channel: "hall")
    client.join("hall", uid: 1, role: .audience, token: token)
    client.preload("hall", uid: 1, token: token)
    client.renew(SimulatedRelay.token(uid: 1, channel: "hall", seconds: 7_200), channel: "hall")
    #expect(client.takeEvents() == ["joined 1 []", "preloaded", "tokenRenewed"])
    #expect(Self.preloads(relay).map(\.grant.text?.text) == [token])
  }

  @Test("a preload ends with the secret of its token", .shows("C13", "C12"))
  func secret() {
    let relay = SimulatedRelay()
    let client = Self.client(relay)
    client.preload(uid: 1)
    var configuration = SimulatedRelay.configuration
    configuration.apps[SimulatedRelay.app] = RelayApp(id: SimulatedRelay.app, secret: SimulatedRelay.secret(7))
    relay.core.reconfigure(configuration, nowNanoseconds: relay.now)
    #expect(relay.core.transportCount == 0)
  }

  @Test("random and damaged preloads never end the relay", .shows("attack"), arguments: 1...4)
  func damaged(seed: Int) {
    let relay = SimulatedRelay(seed: UInt64(seed)) { $0.limits.requestsPerSecond = 1_000_000 }
    var generator = SeededGenerator(seed: UInt64(seed))
    let client = Self.client(relay, SimulatedRelay.token(channel: "lobby"))
    let transport = SimulatedMedia(client.signallingAddress).parameters
    let lobby = ChannelName("lobby")!
    let texts = [
      ClientMessage.preload(PreloadRequest(id: 1, channel: lobby, user: .uid(1), transport: transport)).text,
      ClientMessage.preload(
        PreloadRequest(id: 2, channel: lobby, user: .uid(2), profile: .communication, transport: transport)
      ).text,
      ClientMessage.join(
        JoinRequest(id: 3, channel: lobby, user: .uid(1), media: .transport(transport), preloaded: true)
      ).text,
      ClientMessage.leave(LeaveRequest(id: 4, channel: lobby)).text,
      ClientMessage.renewToken(
        RenewalRequest(id: 5, channel: lobby, token: SecretText(SimulatedRelay.token(uid: 1)))
      ).text,
    ]
    for _ in 0..<3_000 {
      var bytes = Array(texts.randomElement(using: &generator)!.utf8)
      for _ in 0..<Int.random(in: 0...2, using: &generator) {
        let index = bytes.indices.randomElement(using: &generator)!
        switch Int.random(in: 0..<3, using: &generator) {
        case 0: bytes[index] = .random(in: 0...255, using: &generator)
        case 1: bytes.remove(at: index)
        default: bytes.insert(contentsOf: bytes[index...].prefix(9), at: index)
        }
      }
      relay.core.received(bytes, on: client.connection, nowNanoseconds: relay.now)
      relay.run(5)
      #expect(Self.preloads(relay).count <= Preload.largestCount)
    }
    #expect(client.closedCode == nil && client.takeEvents().contains("joined 1 preloaded []"))
    relay.close(client.connection)
    relay.run(40_000)
    #expect(relay.core.sessionCount == 0 && relay.core.transportCount == 0)
  }
}
