import Signalling
import TestSupport
import Testing

@testable import Relay

/// Media connections ahead of a join.
@Suite(.timeLimit(.minutes(10))) struct PreloadTests {
  /// Preloads of the only session.
  private static func count(_ relay: SimulatedRelay) -> Int { relay.core.sessions.ordered[0].preloads.count }

  private static func client(_ relay: SimulatedRelay, _ token: String? = nil) -> SimulatedClient {
    let client = relay.client(token ?? SimulatedRelay.token(uid: 1))
    _ = client.takeEvents()
    return client
  }

  @Test("a preloaded join sends its first packet at once", .shows("C13"))
  func first() throws {
    let relay = SimulatedRelay()
    let other = Self.client(relay, SimulatedRelay.token(uid: 2))
    let heard = other.join(uid: 2, profile: .communication)
    let client = Self.client(relay)
    let preload = client.preload(uid: 1, profile: .communication)
    #expect(client.takeEvents() == ["preloaded"])
    relay.run(1_000)
    #expect(preload.isConnected)
    let media = client.join(uid: 1, profile: .communication, preloaded: true)
    #expect(media === preload && client.takeEvents() == ["joined 1 preloaded [2]"])
    media.sendPacket(5)
    heard.sendPacket(6)
    relay.run(100)
    #expect(heard.received.map(\.milliseconds) == [1_020] && heard.received[0].payload[0] == 5)
    #expect(media.received.map(\.milliseconds) == [1_020] && media.received[0].payload[0] == 6)
    #expect(other.takeEvents() == ["joined 2 []", "userJoined 1"] && relay.core.transportCount == 2)
  }

  @Test("the audience hears the first packet after its preloaded join", .shows("C13"))
  func audience() throws {
    let relay = SimulatedRelay()
    let speaker = Self.client(relay, SimulatedRelay.token(uid: 2)).join(uid: 2)
    let client = Self.client(relay)
    client.preload(uid: 1)
    relay.run(1_000)
    speaker.sendPacket(1)
    relay.run(1_000)
    let media = client.join(uid: 1, role: .audience, publishes: false, preloaded: true)
    speaker.sendPacket(2)
    relay.run(100)
    #expect(media.received.map { $0.payload[0] } == [2])
    #expect(client.takeEvents() == ["preloaded", "joined 1 preloaded [2]"])
  }

  @Test("a preload is neither user nor publisher, and hears nothing", .shows("C13"))
  func unseen() {
    let relay = SimulatedRelay {
      $0.limits.usersPerChannel = 2
      $0.limits.publishersPerChannel = 2
    }
    let client = Self.client(relay)
    let media = client.preload(uid: 1)
    #expect(relay.core.channelCount == 0)
    let speakers = [2, 3].map { (uid: UInt32) in Self.client(relay, SimulatedRelay.token(uid: uid)) }
    for (index, speaker) in speakers.enumerated() { speaker.join(uid: UInt32(index + 2)) }
    relay.run(1_000)
    for speaker in speakers { speaker.media["lobby"]?.sendPacket(1) }
    relay.run(100)
    #expect(media.isConnected && media.received.isEmpty && client.takeEvents() == ["preloaded"])
    #expect(speakers.map { $0.takeEvents() } == [["joined 2 []", "userJoined 3"], ["joined 3 [2]"]])
    #expect(relay.core.counters.forwarded == 2)
  }

  @Test("packets of a preload are counted and dropped, and do not ban", .shows("C13", "attack"))
  func packets() {
    let relay = SimulatedRelay()
    let client = Self.client(relay)
    let media = client.preload(uid: 1)
    relay.run(1_000)
    for _ in 0..<70 {
      for _ in 0..<20 { media.sendPacket(1) }
      media.sendReport(fractionLost: 0)
      client.send(.ping(PingRequest(id: 1)))
      relay.run(100)
    }
    #expect(relay.core.counters.unauthorizedPackets == 70 * 21)
    #expect(relay.core.counters.packets == 0 && relay.core.counters.bans == 0 && Self.count(relay) == 1)
    let joined = client.join(uid: 1, role: .audience, preloaded: true)
    #expect(joined === media && relay.core.counters.refusedDatagrams == 0)
  }

  @Test("a join without the flag, or that does not fit, leaves the preload", .shows("C13"), arguments: 0..<8)
  func unfit(number: Int) {
    let relay = SimulatedRelay()
    let client = Self.client(relay, SimulatedRelay.token())
    client.preload(uid: 1)
    relay.run(500)
    switch number {
    case 0: client.join(uid: 1, role: .audience)
    case 1: client.join(uid: 1, role: .broadcaster, preloaded: true)
    case 2: client.join(uid: 2, role: .audience, preloaded: true)
    case 3: client.join(account: "1", role: .audience, preloaded: true)
    case 4: client.join(role: .audience, preloaded: true)
    case 5: client.join(uid: 1, role: .audience, profile: .communication, preloaded: true)
    case 6: client.join(uid: 1, role: .audience, token: SimulatedRelay.token(uid: 1), preloaded: true)
    default:
      client.join(
        "hall", uid: 1, role: .audience, token: SimulatedRelay.token(uid: 1, channel: "hall"), preloaded: true)
    }
    #expect(client.takeEvents().last?.contains("preloaded") == false && Self.count(relay) == 1)
    #expect(relay.core.transportCount == 2)
    client.leave(number == 7 ? "hall" : "lobby")
    client.join(uid: 1, role: .audience, preloaded: true)
    #expect(client.takeEvents() == ["left", "joined 1 preloaded []"] && Self.count(relay) == 0)
  }

  @Test("a join that is refused leaves the preload", .shows("C13"))
  func refusedJoin() {
    let relay = SimulatedRelay { $0.limits.usersPerChannel = 1 }
    let client = Self.client(relay)
    client.preload(uid: 1)
    let other = Self.client(relay, SimulatedRelay.token(uid: 2))
    other.join(uid: 2)
    client.join(uid: 1, role: .audience, preloaded: true)
    #expect(client.takeEvents() == ["preloaded", "failed -5/10 users 1"])
    other.leave()
    client.join(uid: 1, role: .audience, preloaded: true)
    #expect(client.takeEvents() == ["joined 1 preloaded []"])
  }

  @Test("the token of a preload is its own or the session's, by its bytes", .shows("C13"))
  func tokens() {
    let relay = SimulatedRelay()
    let (token, own) = (SimulatedRelay.token(uid: 1), SimulatedRelay.token(uid: 1, channel: "hall"))
    let client = Self.client(relay, token)
    client.preload(uid: 1)
    client.preload("hall", uid: 1, token: own)
    client.join(uid: 1, role: .audience, token: token, preloaded: true)
    client.join("hall", uid: 1, role: .audience, token: own, preloaded: true)
    #expect(client.takeEvents() == ["preloaded", "preloaded", "joined 1 preloaded []", "joined 1 preloaded []"])
    let open = relay.client()
    open.hello(app: SimulatedRelay.openApp)
    open.preload("yard", uid: 7)
    open.join("yard", uid: 7, role: .audience, preloaded: true)
    #expect(open.takeEvents() == ["welcome", "preloaded", "joined 7 preloaded []"])
  }

  @Test("uid 0 in a preload and in its join gets a uid at the join", .shows("C13"))
  func assigned() {
    let relay = SimulatedRelay()
    let client = Self.client(relay, SimulatedRelay.token())
    client.preload()
    let uid = client.join(role: .audience, preloaded: true).answer?.uid
    #expect(uid != nil && uid != 0 && client.takeEvents().last?.contains("preloaded") == true)
  }

  @Test("a preload without the token for its channel or user is refused", .shows("C13"))
  func refused() {
    let relay = SimulatedRelay()
    let client = Self.client(relay)
    client.preload("hall", uid: 1)
    client.preload(uid: 2)
    client.preload(uid: 1, token: SimulatedRelay.token(uid: 1, seconds: -10))
    client.preload(uid: 1, token: SimulatedRelay.token(uid: 1, secret: 9))
    #expect(client.takeEvents() == ["failed -110", "failed -110", "failed -109", "failed -110"])
    #expect(relay.core.transportCount == 0)
  }

  @Test("the join consumes the preload", .shows("C13"))
  func consumed() {
    let relay = SimulatedRelay()
    let client = Self.client(relay)
    client.preload(uid: 1)
    relay.run(500)
    client.join(uid: 1, role: .audience, preloaded: true)
    client.leave()
    relay.run(100)
    #expect(relay.core.transportCount == 0 && relay.core.routeCount == 0)
    client.join(uid: 1, role: .audience, preloaded: true)
    #expect(client.takeEvents() == ["preloaded", "joined 1 preloaded []", "left", "joined 1 []"])
  }

  @Test("a user that is in the channel takes over a preload with another join", .shows("C13"))
  func rejoin() {
    let relay = SimulatedRelay()
    let speaker = Self.client(relay, SimulatedRelay.token(uid: 2)).join(uid: 2)
    let client = Self.client(relay)
    client.join(uid: 1, role: .audience)
    let media = client.preload(uid: 1)
    relay.run(500)
    client.join(uid: 1, role: .audience, preloaded: true)
    speaker.sendPacket(3)
    relay.run(100)
    #expect(media.received.count == 1 && relay.core.transportCount == 2)
  }
}
