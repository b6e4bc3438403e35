import Cryptography
import Signalling
import TestSupport
import Testing

@testable import Relay

/// Refusals of tokens, arguments and limits, each with its code.
@Suite(.timeLimit(.minutes(10))) struct RefusalTests {
  private static func hello(_ token: String) -> [String] { SimulatedRelay().client(token).takeEvents() }

  @Test("a refused token has its code and its reason", .shows("C5", "C8", "C20"))
  func tokens() {
    let good = SimulatedRelay.token()
    #expect(Self.hello(good) == ["welcome"])
    #expect(Self.hello(SimulatedRelay.token(seconds: 0)) == ["failed -109/9"])
    let later = SimulatedRelay.unixMilliseconds / 1_000 + 1
    #expect(Self.hello(SimulatedRelay.token(notBefore: later)) == ["failed -110/8"])
    #expect(Self.hello(SimulatedRelay.token(secret: 3)) == ["failed -110/8"])
    #expect(Self.hello(SimulatedRelay.token(app: AppID("unknown")!)) == ["failed -110/6"])
    #expect(Self.hello(SimulatedRelay.token(app: SimulatedRelay.otherApp)) == ["failed -110/8"])
    #expect(Self.hello(String(good.dropLast(3))) == ["failed -110/8"])
    let parts = good.split(separator: ".")
    #expect(Self.hello("eyJhbGciOiJub25lIn0.\(parts[1]).") == ["failed -110/8"])
    #expect(Self.hello(String(repeating: "a", count: 5_000)) == ["failed -2"])
  }

  @Test("a token for no valid channel is refused with reason 7", .shows("C5", "C8"))
  func channel() {
    let claims = #"{"app":"app-1","channel":"a/b","uid":7,"role":"broadcaster","exp":1800003600}"#
    let parts = [#"{"alg":"HS256","typ":"JWT"}"#, claims].map { Base64URL.encode(Array($0.utf8).span) }
    let text = parts.joined(separator: ".")
    let code = SimulatedRelay.secret(1).authenticationCode(of: text)
    #expect(Self.hello(text + "." + Base64URL.encode(code.span)) == ["failed -102/7"])
  }

  @Test("an app id alone is refused by an app with tokens", .shows("C8", "C16"))
  func appIDs() {
    let relay = SimulatedRelay()
    let client = relay.client()
    client.hello(app: SimulatedRelay.app)
    client.hello(app: AppID("unknown")!)
    client.hello(app: SimulatedRelay.openApp)
    #expect(client.takeEvents() == ["failed -110/6", "failed -110/6", "welcome"])
  }

  @Test("a join beyond the token is refused with its code", .shows("C20"))
  func joins() {
    let relay = SimulatedRelay()
    let client = relay.client(SimulatedRelay.token(uid: 7, role: .audience))
    client.join("hall", uid: 7, role: .audience, publishes: false)
    client.join(uid: 8, role: .audience, publishes: false)
    client.join(uid: 7, role: .broadcaster)
    client.join(uid: 7, role: .audience, profile: .communication)
    client.join(uid: 7, role: .audience)
    #expect(
      client.takeEvents() == [
        "welcome", "failed -110/8", "failed -110/8", "failed -5/10", "failed -5/10", "joined 7 []",
      ])
    let other = relay.client(SimulatedRelay.token(uid: 8))
    other.join(uid: 8, profile: .communication)
    #expect(other.takeEvents() == ["welcome", "failed -2/4"])
    #expect(relay.core.channelCount == 1)
  }

  /// Cause of the newest refusal.
  private static func cause(_ client: SimulatedClient) -> FailureCause? {
    guard case .failed(let report)? = client.messages.last?.message else { return nil }
    return report.cause
  }

  @Test("a missing right, a full channel and a drain have causes of their own", .shows("C5", "C20", "C21"))
  func causes() {
    let relay = SimulatedRelay { $0.limits.usersPerChannel = 1 }
    let client = relay.client(SimulatedRelay.token(uid: 7, role: .audience))
    client.join(uid: 7, role: .broadcaster)
    #expect(Self.cause(client) == .right)
    client.join(uid: 8, role: .audience, publishes: false)
    #expect(Self.cause(client) == .token)
    client.update(publishes: true)
    #expect(Self.cause(client) == .state)
    client.join(uid: 7, role: .audience, publishes: false)
    let other = relay.client(SimulatedRelay.token(uid: 8))
    other.join(uid: 8)
    #expect(Self.cause(other) == .limit)
    #expect(Self.cause(relay.client(SimulatedRelay.token(seconds: 0))) == .expired)
    #expect(Self.cause(relay.client(SimulatedRelay.token(app: AppID("unknown")!))) == .app)
    relay.core.drain(nowNanoseconds: relay.now)
    relay.take()
    #expect(Self.cause(relay.client(SimulatedRelay.token())) == .draining)
  }

  @Test("a user has a limited number of sessions", .shows("C21", "C23", "attack"))
  func sessionsOfUser() {
    let relay = SimulatedRelay { $0.limits.sessionsPerUser = 2 }
    let clients = (0..<3).map { _ in relay.client(SimulatedRelay.token(uid: 7)) }
    #expect(clients.map { $0.takeEvents() } == [["welcome"], ["welcome"], ["failed -5/10 sessions-per-user 2"]])
    for _ in 0..<3 { #expect(relay.client(SimulatedRelay.token()).takeEvents() == ["welcome"]) }
    relay.close(clients[0].connection)
    relay.run(40_000)
    #expect(relay.client(SimulatedRelay.token(uid: 7)).takeEvents() == ["welcome"])
  }

  @Test("a message above 16 KiB is refused before hello, and taken behind it", .shows("C21", "attack"))
  func longHello() {
    let relay = SimulatedRelay()
    let client = relay.client()
    let long = #"{"type":"dance","x":""# + String(repeating: "x", count: 17_000) + #""}"#
    relay.send(text: long, on: client.connection)
    #expect(client.takeEvents() == ["failed -2"])
    client.hello(SimulatedRelay.token())
    relay.send(text: long, on: client.connection)
    #expect(client.takeEvents() == ["welcome"])
  }

  @Test("a reached limit is named with its value", .shows("C8", "C21"))
  func limits() {
    let relay = SimulatedRelay {
      $0.limits.usersPerChannel = 3
      $0.limits.publishersPerChannel = 2
      $0.limits.channelsPerSession = 2
      $0.limits.sessions = 5
    }
    for uid in 1...2 { relay.client(SimulatedRelay.token()).join(uid: UInt32(uid)) }
    let third = relay.client(SimulatedRelay.token())
    third.join(uid: 3)
    third.join(uid: 3, role: .audience, publishes: false)
    third.update(role: .broadcaster)
    #expect(third.takeEvents() == ["welcome", "failed -5/20 publishers 2", "joined 3 [1 2]", "failed -5 publishers 2"])
    let fourth = relay.client(SimulatedRelay.token())
    fourth.join(uid: 4, role: .audience, publishes: false)
    let hidden = relay.client(SimulatedRelay.token(rights: [.hidden, .subscribe]))
    hidden.join(uid: 5, role: .audience, publishes: false)
    #expect(fourth.takeEvents() == ["welcome", "failed -5/10 users 3"] && hidden.takeEvents().last == "joined 5 [1 2]")
    let sixth = relay.client(SimulatedRelay.token())
    #expect(sixth.takeEvents() == ["failed -5/10 sessions 5"])
    let wide = SimulatedRelay { $0.limits.channelsPerSession = 2 }
    let client = wide.client(SimulatedRelay.token(uid: 7, channel: "*"))
    for channel in ["a", "b", "c"] { client.join(channel, uid: 7) }
    #expect(client.takeEvents() == ["welcome", "joined 7 []", "joined 7 []", "failed -5/10 channels 2"])
  }

  @Test("a second join as a broadcaster counts for the limit of publishers", .shows("C21"))
  func secondJoin() {
    let relay = SimulatedRelay { $0.limits.publishersPerChannel = 1 }
    let first = relay.client(SimulatedRelay.token())
    first.join(uid: 1)
    let second = relay.client(SimulatedRelay.token())
    second.join(uid: 2, role: .audience, publishes: false)
    second.join(uid: 2)
    let other = relay.client(SimulatedRelay.token())
    other.join(uid: 2)
    #expect(second.takeEvents() == ["welcome", "joined 2 [1]", "failed -5/20 publishers 1"])
    #expect(other.takeEvents() == ["welcome", "failed -5/20 publishers 1"])
    // A publisher takes its own place.
    first.join(uid: 1)
    let replacing = relay.client(SimulatedRelay.token())
    replacing.join(uid: 1)
    #expect(replacing.takeEvents() == ["welcome", "joined 1 []"])
  }

  @Test(
    "a token that makes a hidden user visible is refused at a limit", .shows("C21", "C12"),
    arguments: ["users", "publishers"])
  func visible(limit: String) {
    let relay = SimulatedRelay {
      $0.limits.usersPerChannel = limit == "users" ? 1 : 9
      $0.limits.publishersPerChannel = limit == "publishers" ? 1 : 9
    }
    relay.client(SimulatedRelay.token()).join(uid: 1)
    let hidden = SimulatedRelay.token(uid: 2, rights: [.hidden, .subscribe])
    let client = relay.client(hidden)
    client.join(uid: 2, publishes: false)
    client.send(.renewToken(RenewalRequest(id: 9, token: SecretText(SimulatedRelay.token(uid: 2)))))
    #expect(client.takeEvents() == ["welcome", "joined 2 [1]", "failed -5 \(limit) 1"])
    relay.close(client.connection)
    client.reconnect()
    client.hello(SimulatedRelay.token(uid: 2), resume: client.resume)
    client.hello(hidden, resume: client.resume)
    #expect(client.takeEvents() == ["failed -5/\(limit == "users" ? 10 : 20) \(limit) 1", "welcome resumed"])
  }

  @Test("a token that lets a user publish again is refused at the limit", .shows("C21", "C12"))
  func publishesAgain() {
    let relay = SimulatedRelay { $0.limits.publishersPerChannel = 1 }
    let client = relay.client(SimulatedRelay.token(uid: 1))
    client.join(uid: 1, profile: .communication)
    func renew(_ rights: TokenRights?) {
      client.send(
        .renewToken(RenewalRequest(id: 9, token: SecretText(SimulatedRelay.token(uid: 1, rights: rights)))))
    }
    renew(.subscribe)
    relay.client(SimulatedRelay.token()).join(uid: 2, profile: .communication)
    renew(nil)
    #expect(
      client.takeEvents() == ["welcome", "joined 1 []", "tokenRenewed", "userJoined 2", "failed -5 publishers 1"])
  }

  @Test("a message that is out of place is refused, and the session stays", .shows("relay"))
  func messages() {
    let relay = SimulatedRelay()
    let client = relay.client()
    client.send(.ping(PingRequest(id: 1)))
    client.hello(SimulatedRelay.token())
    client.hello(SimulatedRelay.token())
    client.leave()
    client.update()
    relay.send(text: "nonsense", on: client.connection)
    relay.send(text: "{\"type\":\"ping\"}", on: client.connection)
    relay.send(text: "{\"type\":\"later\"}", on: client.connection)
    relay.core.received([0xFF, 0xFE], on: client.connection, nowNanoseconds: relay.now)
    relay.take()
    client.send(.message(MessageRequest(id: 9, to: .uid(3), body: "hello")))
    client.send(.ping(PingRequest(id: 1)))
    #expect(
      client.takeEvents() == [
        "failed -3", "welcome", "failed -8", "failed -8", "failed -8", "failed -2", "failed -2", "failed -2",
        "failed -121", "pong",
      ])
  }

  @Test("too many requests end the connection", .shows("relay", "C8"))
  func requests() {
    let relay = SimulatedRelay { $0.limits.requestsPerSecond = 20 }
    let client = relay.client(SimulatedRelay.token())
    for id in 1...30 { client.send(.ping(PingRequest(id: UInt32(id)))) }
    #expect(
      client.takeEvents() == ["welcome"] + Array(repeating: "pong", count: 19) + ["failed -5/3 requests-per-second 20"])
    #expect(client.closedCode == 1008 && relay.core.connectionCount == 0 && relay.core.sessionCount == 0)
  }

  @Test("a connection with 256 KiB of waiting messages ends", .shows("relay"))
  func slow() {
    let relay = SimulatedRelay()
    let client = relay.client(SimulatedRelay.token())
    relay.core.setBacklog(262_144, of: client.connection)
    relay.take()
    #expect(client.closedCode == nil)
    client.send(.ping(PingRequest(id: 1)))
    #expect(client.closedCode == 1013 && relay.core.connectionCount == 0 && relay.core.sessionCount == 0)
  }

  @Test("a connection without a hello ends after 10 s, a silent one after 30 s", .shows("relay"))
  func silent() {
    let relay = SimulatedRelay()
    let (first, second) = (relay.client(), relay.client(SimulatedRelay.token()))
    relay.run(9_999)
    #expect(first.closedCode == nil)
    relay.run(1)
    #expect(first.closedCode == 1008)
    relay.run(19_999)
    #expect(second.closedCode == nil)
    relay.run(1)
    #expect(second.closedCode == 1008 && relay.core.nextDeadlineNanoseconds == nil)
  }
}
