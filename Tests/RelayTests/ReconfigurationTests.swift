import Platform
import Signalling
import TestSupport
import Testing

@testable import Relay

/// Other settings while the relay runs.
@Suite(.timeLimit(.minutes(10))) struct ReconfigurationTests {
  private static func reconfigure(_ relay: SimulatedRelay, _ change: (inout RelayConfiguration) -> Void) {
    var configuration = SimulatedRelay.configuration
    change(&configuration)
    relay.core.reconfigure(configuration, nowNanoseconds: relay.now)
    relay.take()
  }

  /// Runs for a time in which every client with a connection sends a packet each 20 ms.
  private static func talk(_ relay: SimulatedRelay, milliseconds: Int) {
    for _ in 0..<milliseconds / 20 {
      for client in relay.clients where client.closedCode == nil {
        client.media["lobby"]?.sendPacket(UInt8(client.number))
      }
      relay.run(20)
    }
  }

  private static func pair(_ relay: SimulatedRelay, _ app: AppID, secret: UInt8) -> [SimulatedClient] {
    ([1, 2] as [UInt32]).map { uid in
      let client = relay.client(SimulatedRelay.token(uid: uid, app: app, secret: secret))
      client.join(uid: uid)
      return client
    }
  }

  @Test("users of an app that stays miss no packet", .shows("relay reload"))
  func stay() {
    let relay = SimulatedRelay()
    let clients = Self.pair(relay, SimulatedRelay.app, secret: 1)
    relay.run(500)
    for _ in 0..<10 {
      Self.talk(relay, milliseconds: 100)
      Self.reconfigure(relay) { $0.limits.sessions = 2 }
    }
    relay.run(100)
    let received = clients[0].media["lobby"]?.received ?? []
    #expect(received.count == 50)
    #expect(zip(received, received.dropFirst()).allSatisfy { $1.sequenceNumber == $0.sequenceNumber &+ 1 })
    #expect(clients.allSatisfy { $0.closedCode == nil })
    #expect(clients[0].takeEvents() == ["welcome", "joined 1 []", "userJoined 2"])
  }

  @Test("later joins are offered other media addresses", .shows("relay reload"))
  func addresses() throws {
    let relay = SimulatedRelay()
    let other = try #require(SocketAddress(host: "198.51.100.9", port: 4_000))
    func offered(_ uid: UInt32) -> [String] {
      let client = relay.client(SimulatedRelay.token(uid: uid))
      guard case .transport(let terms)? = client.join(uid: uid).answer?.media else { return [] }
      return terms.candidates.map { "\($0.address) \($0.port)" }
    }
    #expect(offered(1) == ["192.0.2.1 4000"])
    relay.core.offer([other])
    #expect(offered(2) == ["198.51.100.9 4000"])
    Self.reconfigure(relay) { $0.mediaAddresses = [] }
    #expect(offered(3) == ["198.51.100.9 4000"])
  }

  @Test("sessions of a removed app end with its code, the others stay", .shows("relay reload", "C16"))
  func removed() {
    let relay = SimulatedRelay()
    let gone = Self.pair(relay, SimulatedRelay.otherApp, secret: 2)
    let stays = Self.pair(relay, SimulatedRelay.app, secret: 1)
    relay.run(500)
    for client in gone + stays { _ = client.takeEvents() }
    Self.reconfigure(relay) { $0.apps[SimulatedRelay.otherApp] = nil }
    for client in gone {
      #expect(client.takeEvents() == ["failed -110/6"])
      #expect(client.closedCode == 1008)
    }
    #expect(stays.allSatisfy { $0.takeEvents().isEmpty && $0.closedCode == nil })
    #expect(relay.core.sessionCount == 2 && relay.core.channelCount == 1 && relay.core.transportCount == 2)
    let late = relay.client(SimulatedRelay.token(uid: 1, app: SimulatedRelay.otherApp, secret: 2))
    #expect(late.takeEvents() == ["failed -110/6"])
    Self.reconfigure(relay) { _ in }
    let back = relay.client(SimulatedRelay.token(uid: 1, app: SimulatedRelay.otherApp, secret: 2))
    #expect(back.takeEvents() == ["welcome"])
  }

  @Test("a token of a removed secret ends, and a new token continues it", .shows("relay reload", "C12"))
  func revoked() {
    let relay = SimulatedRelay()
    let both = RelayApp(
      id: SimulatedRelay.app, secret: SimulatedRelay.secret(3), otherSecret: SimulatedRelay.secret(1))
    Self.reconfigure(relay) { $0.apps[SimulatedRelay.app] = both }
    let old = relay.client(SimulatedRelay.token(uid: 1))
    let new = relay.client(SimulatedRelay.token(uid: 2, secret: 3))
    for (client, uid) in [(old, UInt32(1)), (new, 2)] { client.join(uid: uid) }
    relay.run(500)
    for client in [old, new] { _ = client.takeEvents() }
    Self.reconfigure(relay) {
      $0.apps[SimulatedRelay.app] = RelayApp(id: SimulatedRelay.app, secret: SimulatedRelay.secret(3))
    }
    #expect(old.takeEvents() == ["failed -110/8"])
    #expect(relay.core.transportCount == 1)
    // As behind an expired token: within the time of the profile, the others hear of nothing.
    old.send(.renewToken(RenewalRequest(id: 9, token: SecretText(SimulatedRelay.token(uid: 1)))))
    old.send(.renewToken(RenewalRequest(id: 10, token: SecretText(SimulatedRelay.token(uid: 1, secret: 3)))))
    old.join(uid: 1)
    #expect(old.takeEvents() == ["failed -110", "tokenRenewed", "joined 1 [2]"])
    #expect(new.takeEvents() == [] && relay.core.transportCount == 2)
  }

  @Test("a join's own token of a removed secret ends its channel only", .shows("relay reload", "C12"))
  func ownToken() {
    let relay = SimulatedRelay()
    Self.reconfigure(relay) {
      $0.apps[SimulatedRelay.app] = RelayApp(
        id: SimulatedRelay.app, secret: SimulatedRelay.secret(1), otherSecret: SimulatedRelay.secret(3))
    }
    let client = relay.client(SimulatedRelay.token(uid: 1, channel: "*"))
    client.join("lobby", uid: 1, token: SimulatedRelay.token(uid: 1, secret: 3))
    client.join("hall", uid: 1)
    _ = client.takeEvents()
    Self.reconfigure(relay) { _ in }
    #expect(client.takeEvents() == ["failed -110/8"])
    #expect(relay.core.channelCount == 2 && relay.core.transportCount == 1)
  }

  @Test("a session without a token ends when its app requires one", .shows("relay reload", "C16"))
  func closed() {
    let relay = SimulatedRelay()
    let client = relay.client()
    client.hello(app: SimulatedRelay.openApp)
    client.join(uid: 1)
    Self.reconfigure(relay) {
      $0.apps[SimulatedRelay.openApp] = RelayApp(id: SimulatedRelay.openApp, secret: SimulatedRelay.secret(4))
    }
    #expect(client.takeEvents() == ["welcome", "joined 1 []", "failed -110/6"])
    #expect(client.closedCode == 1008 && relay.core.sessionCount == 0 && relay.core.transportCount == 0)
  }

  @Test("lower limits refuse later requests and remove nobody", .shows("relay reload", "C21"))
  func limits() {
    let relay = SimulatedRelay()
    let clients = Self.pair(relay, SimulatedRelay.app, secret: 1)
    for client in clients { _ = client.takeEvents() }
    Self.reconfigure(relay) { $0.limits.sessions = 1 }
    #expect(relay.client(SimulatedRelay.token()).takeEvents() == ["failed -5/10 sessions 1"])
    Self.reconfigure(relay) { $0.limits.usersPerChannel = 1 }
    let late = relay.client(SimulatedRelay.token())
    late.join(uid: 3)
    #expect(late.takeEvents() == ["welcome", "failed -5/10 users 1"])
    #expect(clients.allSatisfy { $0.takeEvents().isEmpty } && relay.core.transportCount == 2)
  }

  @Test("another drop time counts at once, and for later joins", .shows("relay reload", "C7"))
  func dropTimes() throws {
    let relay = SimulatedRelay()
    let clients = Self.pair(relay, SimulatedRelay.app, secret: 1)
    relay.run(500)
    let media = try #require(clients[0].media["lobby"])
    relay.close(clients[0].connection)
    relay.cut.insert(media.address)
    relay.run(8_000)
    _ = clients[1].takeEvents()
    Self.reconfigure(relay) { $0.dropTimes.live = 10_000_000_000 }
    #expect(clients[1].takeEvents() == [])
    relay.run(3_000)
    #expect(clients[1].takeEvents() == ["userLeft 1 1"])
    let late = relay.client(SimulatedRelay.token(uid: 3))
    #expect(late.join(uid: 3).answer?.dropMilliseconds == 10_000)
    Self.reconfigure(relay) { $0.dropTimes.live = 1_000_000_000 }
    #expect(clients[1].closedCode == nil && late.closedCode == nil)
  }

  @Test("a drain names the relays of the latest settings", .shows("relay reload", "C9"))
  func relays() {
    let relay = SimulatedRelay { $0.alternativeRelays = ["wss://first"] }
    let client = relay.client(SimulatedRelay.token())
    Self.reconfigure(relay) {
      $0.alternativeRelays = ["wss://second"]
      $0.drainNanoseconds = 5_000_000_000
    }
    relay.core.drain(nowNanoseconds: relay.now)
    relay.take()
    #expect(client.takeEvents() == ["welcome", "moveTo wss://second 5000"])
    relay.run(5_001)
    #expect(relay.core.isDrained && client.closedCode == 1001)
  }

  @Test("resume tokens outlive other settings", .shows("relay reload", "C1a"))
  func resume() {
    let relay = SimulatedRelay()
    let client = relay.client(SimulatedRelay.token(uid: 1))
    client.join(uid: 1)
    Self.reconfigure(relay) { $0.resumeSecret = SecretText("another secret of more than 16 bytes") }
    relay.close(client.connection)
    client.reconnect()
    client.hello(SimulatedRelay.token(uid: 1), resume: client.resume)
    #expect(client.takeEvents() == ["welcome", "joined 1 []", "welcome resumed"])
  }

  @Test("no session stays that the settings do not allow", .shows("relay reload", "attack"), arguments: 1...8)
  func random(seed: Int) {
    let relay = SimulatedRelay(seed: UInt64(seed))
    var generator = SeededGenerator(seed: UInt64(seed))
    let secrets: [UInt8] = [1, 2, 3]
    var clients: [SimulatedClient] = []
    for _ in 0..<200 {
      let app = [SimulatedRelay.app, SimulatedRelay.otherApp, SimulatedRelay.openApp].randomElement(using: &generator)!
      let secret = secrets.randomElement(using: &generator)!
      let client = relay.client()
      clients.append(client)
      if Bool.random(using: &generator) {
        client.hello(SimulatedRelay.token(app: app, secret: secret))
      } else {
        client.hello(app: app)
      }
      client.join(uid: .random(in: 1...5, using: &generator))
      relay.run(100)
      if Int.random(in: 0..<4, using: &generator) == 0, let gone = clients.randomElement(using: &generator) {
        relay.close(gone.connection)
      }
      guard Int.random(in: 0..<3, using: &generator) == 0 else { continue }
      Self.reconfigure(relay) { configuration in
        configuration.apps = [:]
        for id in [SimulatedRelay.app, SimulatedRelay.otherApp, SimulatedRelay.openApp]
        where Int.random(in: 0..<4, using: &generator) > 0 {
          let own = secrets.filter { _ in Bool.random(using: &generator) }.map(SimulatedRelay.secret)
          configuration.apps[id] = RelayApp(
            id: id, secret: own.first, otherSecret: own.dropFirst().first,
            allowsAppIDOnly: Bool.random(using: &generator))
        }
      }
      let apps = relay.core.configuration.apps
      for session in relay.core.sessions.values {
        let app = apps[session.app]
        #expect(app != nil, "seed \(seed)")
        let hears = session.members.values.contains { $0.peer != nil }
        let isAllowed = session.grant.secret.map { app?.verifier?.has($0) == true } ?? (app?.allowsAppIDOnly == true)
        #expect(isAllowed || session.isExpired && !hears, "seed \(seed)")
      }
    }
    Self.reconfigure(relay) { $0.apps = [:] }
    #expect(relay.core.sessionCount == 0 && relay.core.channelCount == 0 && relay.core.transportCount == 0)
    for client in clients { relay.close(client.connection) }
    relay.run(10_000)
    #expect(relay.core.connectionCount == 0 && relay.core.nextDeadlineNanoseconds == nil)
  }
}
