import Signalling
import TestSupport
import Testing

@testable import Relay

/// Sessions of several channels, each with a token of its own.
@Suite(.timeLimit(.minutes(10))) struct SessionTokenTests {
  private static func token(_ channel: String, uid: UInt32 = 1, seconds: Int64 = 3_600, secret: UInt8 = 1) -> String {
    SimulatedRelay.token(uid: uid, channel: channel, secret: secret, seconds: seconds)
  }

  /// Runs for a time in which every client sends a ping each second.
  private static func run(_ relay: SimulatedRelay, seconds: Int) {
    for _ in 0..<seconds {
      for client in relay.clients where client.closedCode == nil { client.send(.ping(PingRequest(id: 1))) }
      relay.run(1_000)
    }
  }

  /// A client in 'lobby' with the session's token of 40 s, and in 'hall' with a token of its own.
  private static func client(_ relay: SimulatedRelay, hall: String) -> SimulatedClient {
    let client = relay.client(token("lobby", seconds: 40))
    client.join("lobby", uid: 1)
    client.join("hall", uid: 1, token: hall)
    return client
  }

  @Test("a session adopts the longer token of another channel", .shows("C12"))
  func adopts() {
    let relay = SimulatedRelay()
    let client = Self.client(relay, hall: Self.token("hall", seconds: 100))
    Self.run(relay, seconds: 41)
    #expect(client.takeEnds() == ["10 tokenWillExpire lobby 30000", "40 failed lobby -109/9"])
    #expect(relay.core.transportCount == 1)
    client.join("cafe", uid: 1, token: Self.token("cafe"))
    client.leave("cafe")
    #expect(client.takeEvents().suffix(2) == ["joined 1 []", "left"])
    Self.run(relay, seconds: 60)
    #expect(client.takeEnds() == ["70 tokenWillExpire hall 30000", "100 failed session -109/9"])
    #expect(relay.core.transportCount == 0)
    client.join("cafe", uid: 1, token: Self.token("cafe"))
    #expect(client.takeEnds() == ["101 failed session -109"])
  }

  @Test("a session does not adopt the token of another user", .shows("C12"))
  func otherUser() {
    let relay = SimulatedRelay()
    let client = relay.client(Self.token("lobby", seconds: 40))
    client.join("lobby", uid: 1)
    client.join("hall", account: "ann", token: SimulatedRelay.token(account: "ann", channel: "hall"))
    Self.run(relay, seconds: 41)
    #expect(client.takeEnds() == ["10 tokenWillExpire session 30000", "40 failed session -109/9"])
    // The channel of the other token stays.
    #expect(relay.core.transportCount == 1)
  }

  @Test("a session without a user adopts any user's token", .shows("C12"))
  func noUser() {
    let relay = SimulatedRelay()
    let client = relay.client(Self.token("lobby", uid: 0, seconds: 40))
    client.join("hall", uid: 5, token: Self.token("hall", uid: 5))
    Self.run(relay, seconds: 60)
    #expect(client.takeEnds() == [])
  }

  @Test("a shorter token of another channel is not adopted", .shows("C12"))
  func shorter() {
    let relay = SimulatedRelay()
    let client = Self.client(relay, hall: Self.token("hall", seconds: 20))
    Self.run(relay, seconds: 41)
    #expect(
      client.takeEnds() == [
        "0 tokenWillExpire hall 20000", "10 tokenWillExpire session 30000", "20 failed hall -109/9",
        "40 failed session -109/9",
      ])
  }

  @Test("a token that comes after the warning is adopted at the end", .shows("C12"))
  func late() {
    let relay = SimulatedRelay()
    let client = relay.client(Self.token("lobby", seconds: 40))
    client.join("lobby", uid: 1)
    Self.run(relay, seconds: 20)
    client.join("hall", uid: 1, token: Self.token("hall"))
    Self.run(relay, seconds: 25)
    #expect(client.takeEnds() == ["10 tokenWillExpire session 30000", "40 failed lobby -109/9"])
  }

  @Test("a leave of the session's first channel ends nothing else", .shows("C1"))
  func left() {
    let relay = SimulatedRelay()
    let client = Self.client(relay, hall: Self.token("hall"))
    client.leave("lobby")
    Self.run(relay, seconds: 60)
    #expect(client.takeEnds() == [] && relay.core.transportCount == 1)
  }

  @Test("a renewed token of a channel is the channel's own", .shows("C12"))
  func renewedChannel() {
    let relay = SimulatedRelay()
    let client = Self.client(relay, hall: Self.token("hall", seconds: 60))
    client.renew(Self.token("lobby", seconds: 50), channel: "lobby")
    Self.run(relay, seconds: 65)
    #expect(
      client.takeEnds() == [
        "20 tokenWillExpire lobby 30000", "30 tokenWillExpire hall 30000", "50 failed lobby -109/9",
        "60 failed session -109/9",
      ])
  }

  @Test("a renewal without a channel keeps the channels of the first token", .shows("C12"))
  func renewedSession() throws {
    let relay = SimulatedRelay()
    let client = Self.client(relay, hall: Self.token("hall", seconds: 60))
    Self.run(relay, seconds: 12)
    client.renew(Self.token("lobby", seconds: 90))
    Self.run(relay, seconds: 49)
    let ends = client.takeEnds()
    #expect(ends.prefix(2) == ["10 tokenWillExpire lobby 30000", "30 tokenWillExpire hall 30000"])
    // Both are due at the same time.
    #expect(Set(ends.dropFirst(2)) == ["60 failed hall -109/9", "60 tokenWillExpire session 30000"])
  }

  @Test("the renewed token of one channel revives an ended session", .shows("C12"))
  func revived() {
    let relay = SimulatedRelay()
    let client = Self.client(relay, hall: Self.token("hall", seconds: 35))
    Self.run(relay, seconds: 41)
    #expect(client.takeEnds().last == "40 failed session -109/9")
    client.renew(Self.token("hall"), channel: "hall")
    client.join("hall", uid: 1)
    client.join("lobby", uid: 1)
    #expect(client.takeEvents() == ["tokenRenewed", "joined 1 []", "failed -110/8"])
    client.join("lobby", uid: 1, token: Self.token("lobby"))
    Self.run(relay, seconds: 60)
    #expect(client.takeEnds() == [] && relay.core.transportCount == 2)
  }

  @Test("a removed secret ends one channel, and the session continues", .shows("relay reload", "C12"))
  func revoked() {
    let relay = SimulatedRelay {
      $0.apps[SimulatedRelay.app] = RelayApp(
        id: SimulatedRelay.app, secret: SimulatedRelay.secret(1), otherSecret: SimulatedRelay.secret(3))
    }
    let client = Self.client(relay, hall: Self.token("hall", seconds: 30, secret: 3))
    _ = client.takeEvents()
    var configuration = SimulatedRelay.configuration
    configuration.apps[SimulatedRelay.app] = RelayApp(id: SimulatedRelay.app, secret: SimulatedRelay.secret(3))
    relay.core.reconfigure(configuration, nowNanoseconds: relay.now)
    relay.take()
    #expect(client.takeEnds() == ["0 failed lobby -110/8"])
    client.renew(Self.token("lobby", secret: 3), channel: "lobby")
    client.join("lobby", uid: 1)
    #expect(client.takeEvents() == ["tokenRenewed", "joined 1 []"])
  }

  @Test("a session of a user does not adopt a token for uid 0", .shows("C12", "attack"))
  func guest() {
    let relay = SimulatedRelay()
    let client = Self.client(relay, hall: Self.token("hall", uid: 0, seconds: 100))
    Self.run(relay, seconds: 41)
    #expect(client.takeEnds() == ["10 tokenWillExpire session 30000", "40 failed session -109/9"])
  }

  @Test("a resume with the first token takes its channel back", .shows("C12", "C1a"))
  func resumed() {
    let relay = SimulatedRelay()
    let client = Self.client(relay, hall: Self.token("hall"))
    Self.run(relay, seconds: 41)
    relay.close(client.connection)
    client.reconnect()
    _ = client.takeEvents()
    client.hello(Self.token("lobby", seconds: 100), resume: client.resume)
    client.join("lobby", uid: 1)
    client.join("hall", uid: 1, token: Self.token("hall"))
    #expect(client.takeEvents() == ["welcome resumed", "joined 1 []", "joined 1 []"])
    Self.run(relay, seconds: 70)
    #expect(client.takeEnds() == ["70 tokenWillExpire lobby 30000", "100 failed lobby -109/9"])
  }

  @Test("a session lives exactly as long as one of its tokens", .shows("C12", "attack"), arguments: 1...12)
  func random(seed: Int) {
    let relay = SimulatedRelay(seed: UInt64(seed)) { $0.limits.requestsPerSecond = 10_000 }
    var generator = SeededGenerator(seed: UInt64(seed))
    let channels = ["a", "b", "c", "d"]
    let clients = (1...3).map { relay.client(SimulatedRelay.token(uid: $0, channel: "a", seconds: 60)) }
    for step in 0..<400 {
      let client = clients.randomElement(using: &generator)!
      let uid = UInt32(client.number)
      let channel = channels.randomElement(using: &generator)!
      let seconds = Int64(relay.now / 1_000_000_000) + .random(in: 1...90, using: &generator)
      let token = SimulatedRelay.token(
        uid: .random(in: 0...3, using: &generator), channel: channel, seconds: seconds)
      switch Int.random(in: 0..<7, using: &generator) {
      case 0: client.join(channel, uid: uid)
      case 1, 2: client.join(channel, uid: uid, token: token)
      case 3: client.leave(channel)
      case 4: client.renew(token, channel: channel)
      case 5: client.renew(token)
      default:
        client.reconnect()
        client.hello(token, user: .uid(uid), resume: client.resume)
      }
      Self.run(relay, seconds: .random(in: 0...4, using: &generator))
      for session in relay.core.sessions.values {
        let now = relay.core.clock.seconds(relay.now)
        let ends = session.ordered.compactMap { $0.ownGrant.flatMap { $0.isInherited ? nil : $0.token } }
        let heirs = ends.filter { $0.expires > now && (session.identity == nil || $0.user == session.identity) }
        let isAlive = (session.grant.token?.expires ?? 0) > now
        #expect(session.isExpired != isAlive, "seed \(seed), step \(step)")
        #expect(isAlive || heirs.isEmpty, "seed \(seed), step \(step)")
        for member in session.ordered where member.peer != nil {
          let token = (member.ownGrant ?? session.grant).token
          #expect((token?.expires ?? 0) > now, "seed \(seed), step \(step)")
          #expect(token?.scope == .channel(member.channel.name), "seed \(seed), step \(step)")
        }
      }
    }
  }
}
