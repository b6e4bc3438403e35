import Signalling
import TestSupport
import Testing

@testable import Relay

/// Ends of tokens and of sessions without one.
@Suite(.timeLimit(.minutes(10))) struct ExpiryTests {
  /// Runs for a time in which every client sends a ping and a packet each second; returns the packets heard by others.
  private static func run(_ relay: SimulatedRelay, seconds: Int) {
    for _ in 0..<seconds {
      for client in relay.clients where client.closedCode == nil {
        client.send(.ping(PingRequest(id: 1)))
        client.media["lobby"]?.sendPacket(UInt8(client.number))
      }
      relay.run(1_000)
    }
  }

  private static func events(_ client: SimulatedClient) -> [String] {
    client.takeTimedEvents().filter { !$0.hasSuffix("pong") }
  }

  @Test("a token's end is announced 30 s before and cuts media both ways", .shows("C12"))
  func expires() throws {
    let relay = SimulatedRelay()
    let clients = [40, 3_600].enumerated().map { index, seconds in
      let client = relay.client(SimulatedRelay.token(uid: UInt32(index + 1), seconds: Int64(seconds)))
      client.join(uid: UInt32(index + 1))
      return client
    }
    Self.run(relay, seconds: 39)
    #expect(Self.events(clients[0]) == ["0 welcome", "0 joined 1 []", "0 userJoined 2", "10000 tokenWillExpire 30000"])
    Self.run(relay, seconds: 2)
    #expect(Self.events(clients[0]) == ["40000 failed -109/9"])
    let heard = clients.map { $0.media["lobby"]?.received.count }
    Self.run(relay, seconds: 10)
    #expect(clients.map { $0.media["lobby"]?.received.count } == heard)
    #expect(Self.events(clients[1]) == ["0 welcome", "0 joined 2 [1]"])
    clients[0].join(uid: 1)
    #expect(Self.events(clients[0]) == ["51000 failed -109"])
    clients[0].send(.renewToken(RenewalRequest(id: 9, token: SecretText(SimulatedRelay.token(uid: 1)))))
    clients[0].join(uid: 1)
    Self.run(relay, seconds: 2)
    #expect(Self.events(clients[0]) == ["51000 tokenRenewed", "51000 joined 1 [2]"])
    #expect(Self.events(clients[1]) == [] && clients[0].media["lobby"]?.received.isEmpty == false)
  }

  @Test("an expired user that does not return is dropped after its time", .shows("C12", "C7"))
  func gone() {
    let relay = SimulatedRelay()
    let clients = [10, 3_600].enumerated().map { index, seconds in
      let client = relay.client(SimulatedRelay.token(uid: UInt32(index + 1), seconds: Int64(seconds)))
      client.join(uid: UInt32(index + 1))
      return client
    }
    Self.run(relay, seconds: 40)
    #expect(Self.events(clients[0]).suffix(2) == ["0 userJoined 2", "10000 failed -109/9"])
    #expect(Self.events(clients[1]) == ["0 welcome", "0 joined 2 [1]", "35000 userLeft 1 1"])
  }

  @Test("a renewed token moves the end, another user's is refused", .shows("C12"))
  func renewed() {
    let relay = SimulatedRelay()
    let client = relay.client(SimulatedRelay.token(uid: 1, seconds: 20))
    client.join(uid: 1)
    func renew(_ token: String) {
      client.send(.renewToken(RenewalRequest(id: 9, token: SecretText(token))))
    }
    renew(SimulatedRelay.token(uid: 2))
    renew(SimulatedRelay.token(uid: 1, channel: "hall"))
    renew(SimulatedRelay.token(uid: 1, role: .audience))
    renew(SimulatedRelay.token(uid: 1, seconds: 0))
    #expect(
      client.takeEvents() == [
        "welcome", "tokenWillExpire 20000", "joined 1 []", "failed -110", "failed -110", "failed -5", "failed -109",
      ])
    renew(SimulatedRelay.token(uid: 1, seconds: 60))
    Self.run(relay, seconds: 61)
    #expect(
      Self.events(client) == ["0 tokenRenewed", "30000 tokenWillExpire 30000", "60000 failed -109/9"])
  }

  @Test("the token of a join ends its channel only", .shows("C12"))
  func ownToken() {
    let relay = SimulatedRelay()
    let client = relay.client(SimulatedRelay.token(uid: 1, channel: "*"))
    client.join("lobby", uid: 1, token: SimulatedRelay.token(uid: 1, seconds: 40))
    client.join("hall", uid: 1)
    Self.run(relay, seconds: 41)
    #expect(
      Self.events(client) == [
        "0 welcome", "0 joined 1 []", "0 joined 1 []", "10000 tokenWillExpire 30000", "40000 failed -109/9",
      ])
    client.send(
      .renewToken(
        RenewalRequest(id: 9, channel: ChannelName("lobby"), token: SecretText(SimulatedRelay.token(uid: 1)))))
    client.join("lobby", uid: 1)
    Self.run(relay, seconds: 60)
    #expect(Self.events(client) == ["41000 tokenRenewed", "41000 joined 1 []"])
  }

  @Test("a user with an expired token of its join is dropped in spite of pings", .shows("C12", "C7"))
  func ownTokenGone() {
    let relay = SimulatedRelay()
    let listener = relay.client(SimulatedRelay.token(uid: 2))
    listener.join(uid: 2)
    let client = relay.client(SimulatedRelay.token(uid: 1, channel: "*"))
    client.join(uid: 1, token: SimulatedRelay.token(uid: 1, seconds: 10))
    Self.run(relay, seconds: 60)
    #expect(Self.events(listener) == ["0 welcome", "0 joined 2 []", "0 userJoined 1", "35000 userLeft 1 1"])
  }

  @Test("a clock step of the relay expires a token at once", .shows("C12"))
  func clock() {
    let relay = SimulatedRelay()
    let client = relay.client(SimulatedRelay.token(uid: 1))
    client.join(uid: 1)
    relay.core.setClock(unixMilliseconds: SimulatedRelay.unixMilliseconds + 3_590_000, nowNanoseconds: relay.now)
    relay.take()
    #expect(client.takeEvents().last == "tokenWillExpire 10000")
    relay.core.setClock(unixMilliseconds: SimulatedRelay.unixMilliseconds + 3_600_000, nowNanoseconds: relay.now)
    relay.take()
    #expect(client.takeEvents() == ["failed -109/9"])
  }

  @Test("a session without a token ends after 24 h", .shows("C16"))
  func day() {
    let relay = SimulatedRelay { $0.keepAliveNanoseconds = 36_000_000_000_000 }
    let client = relay.client()
    client.hello(app: SimulatedRelay.openApp)
    relay.run(86_390_000)
    client.join(uid: 1)
    relay.run(10_000)
    #expect(client.takeTimedEvents() == ["0 welcome", "86390000 joined 1 []", "86400000 failed -5/5"])
    #expect(relay.core.transportCount == 0 && relay.core.channelCount == 0)
    client.send(
      .hello(HelloRequest(id: 9, credential: .app(SimulatedRelay.openApp), resume: client.resume)))
    client.join(uid: 1)
    #expect(client.takeEvents() == ["welcome", "joined 1 []"])
  }
}
