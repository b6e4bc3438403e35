import RTP
import Signalling
import TestSupport
import Testing

@testable import Relay

/// Ends of the relay of a user to other channels, and rejoins that keep it.
@Suite(.timeLimit(.minutes(10))) struct MediaRelayEndTests {
  @Test("the relay to a channel ends with its token, and others continue", .shows("C18"))
  func expiry() {
    let relay = SimulatedRelay()
    let source = RelayedRoom.source(relay)
    let listener = RelayedRoom.join(relay, "hall1", 9)
    relay.run(500)
    source.relay(to: [
      ("hall1", RelayedRoom.token("hall1", 21, seconds: 10)), ("hall2", RelayedRoom.token("hall2", 22)),
    ])
    // Another token for the same user lengthens the time.
    source.relay(to: [
      ("hall1", RelayedRoom.token("hall1", 21, seconds: 20)), ("hall2", RelayedRoom.token("hall2", 22)),
    ])
    _ = (source.takeEvents(), listener.takeEvents())
    for _ in 0..<30 { RelayedRoom.send(relay, source, 50) }
    #expect(source.takeTimedEvents() == ["20000 mediaRelayEnded hall1 -109"])
    #expect(listener.takeTimedEvents() == ["20000 userLeft 21 0"])
    #expect(relay.core.channelCount == 3)
  }

  @Test("the end of the user's own token ends its relays for good", .shows("C18"))
  func ownExpiry() {
    let relay = SimulatedRelay()
    let source = relay.client(SimulatedRelay.token(uid: 1, seconds: 5, relayTo: ["hall1"]))
    source.join(uid: 1)
    let listener = RelayedRoom.join(relay, "hall1", 9)
    relay.run(500)
    source.relay(to: [("hall1", RelayedRoom.token("hall1", 21))])
    _ = listener.takeEvents()
    relay.run(5_000)
    #expect(listener.takeEvents() == ["userLeft 21 0"])
    source.renew(SimulatedRelay.token(uid: 1, relayTo: ["hall1"]))
    source.join(uid: 1)
    relay.run(500)
    RelayedRoom.send(relay, source, 10)
    source.update(muted: true)
    #expect(listener.takeEvents() == [] && relay.core.forwarders.allSatisfy { $0.relayedUsers.isEmpty })
  }

  @Test("a renewed token of the session counts for channels without one", .shows("C18"))
  func sessionToken() {
    let relay = SimulatedRelay()
    let source = relay.client(SimulatedRelay.token(uid: 1, channel: "*", seconds: 5, relayTo: ["hall1"]))
    source.join(uid: 1)
    relay.run(500)
    source.relay(to: [("hall1", nil)])
    source.renew(SimulatedRelay.token(uid: 1, channel: "*", seconds: 10, relayTo: ["hall1"]))
    #expect(source.takeEvents().contains("mediaRelayed [hall1 1]"))
    for _ in 0..<7 { RelayedRoom.send(relay, source, 50) }
    #expect(source.takeEvents().filter { $0.hasPrefix("mediaRelayEnded") } == [])
    #expect(relay.core.channelCount == 2)
    for _ in 0..<4 { RelayedRoom.send(relay, source, 50) }
    #expect(relay.core.channelCount == 1)
  }

  @Test("a right that a new token takes away ends the relay", .shows("C18"))
  func rights() {
    let relay = SimulatedRelay()
    let source = RelayedRoom.source(relay)
    source.relay(to: RelayedRoom.halls[..<2].map { ($0, RelayedRoom.token($0, 21)) })
    _ = source.takeEvents()
    source.renew(SimulatedRelay.token(uid: 1, relayTo: ["hall2"]))
    #expect(source.takeEvents() == ["tokenRenewed", "mediaRelayEnded hall1 -5"])
    // A token of the request has the right in place of the session's.
    let own = SimulatedRelay.token(uid: 1, seconds: 5, relayTo: ["hall1"])
    source.relay(to: [("hall1", RelayedRoom.token("hall1", 21))], token: own)
    #expect(source.takeEvents() == ["mediaRelayed [hall1 21]"])
    source.relay(
      to: [("hall1", RelayedRoom.token("hall1", 21))], token: SimulatedRelay.token(uid: 2, relayTo: ["hall1"]))
    #expect(source.takeEvents() == ["failed -110"])
    for _ in 0..<3 { RelayedRoom.send(relay, source, 100) }
    #expect(source.takeEvents() == ["mediaRelayEnded hall1 -109"])
  }

  @Test("a join with the uid of a relayed user takes its place", .shows("C18"))
  func sameUser() {
    let relay = SimulatedRelay()
    let source = RelayedRoom.source(relay)
    let listener = RelayedRoom.join(relay, "hall1", 9)
    source.relay(to: [("hall1", RelayedRoom.token("hall1", 21))])
    _ = (source.takeEvents(), listener.takeEvents())
    let other = RelayedRoom.join(relay, "hall1", 21)
    #expect(source.takeEvents() == ["mediaRelayEnded hall1 -5"])
    #expect(listener.takeEvents() == ["userLeft 21 0", "userJoined 21"])
    #expect(other.takeEvents() == ["welcome", "joined 21 [9]"])
  }

  @Test("a removed secret ends the relays with its tokens", .shows("C18"))
  func revoked() {
    let relay = SimulatedRelay()
    let source = RelayedRoom.source(relay)
    let foreign = SimulatedRelay.token(uid: 21, channel: "hall1", secret: 3)
    var configuration = SimulatedRelay.configuration
    let apps = configuration.apps
    func use(_ other: UInt8?) {
      configuration = RelayConfiguration(
        apps: [
          RelayApp(
            id: SimulatedRelay.app, secret: SimulatedRelay.secret(1),
            otherSecret: other.map { SimulatedRelay.secret($0) })
        ], mediaAddresses: configuration.mediaAddresses)
      relay.core.reconfigure(configuration, nowNanoseconds: relay.now)
      relay.take()
    }
    use(3)
    source.relay(to: [("hall1", foreign), ("hall2", RelayedRoom.token("hall2", 22))])
    use(nil)
    #expect(apps.count == 3)
    #expect(
      source.takeEvents() == [
        "welcome", "joined 1 []", "mediaRelayed [hall1 21, hall2 22]", "mediaRelayEnded hall1 -110",
      ])
  }

  @Test("a user that leaves or is lost leaves all channels", .shows("C18"), arguments: [true, false])
  func departure(leaves: Bool) {
    let relay = SimulatedRelay()
    let source = RelayedRoom.source(relay)
    let listener = RelayedRoom.join(relay, "hall1", 9)
    relay.run(500)
    source.relay(to: [("hall1", RelayedRoom.token("hall1", 21))])
    _ = listener.takeEvents()
    if leaves {
      source.leave()
    } else {
      relay.close(source.connection)
      if let address = source.media["lobby"]?.address { relay.cut.insert(address) }
      for _ in 0..<1_500 {
        listener.media["hall1"]?.sendPacket(1)
        relay.run(20)
      }
    }
    #expect(listener.takeEvents() == ["userLeft 21 \(leaves ? 0 : 1)"])
    #expect(relay.core.channelCount == 1)
  }

  @Test("a rejoin of the session keeps its relays, and the packets continue", .shows("C18"))
  func rejoin() throws {
    let relay = SimulatedRelay()
    let (source, listener) = (RelayedRoom.source(relay), RelayedRoom.join(relay, "hall1", 9))
    relay.run(500)
    source.relay(to: [("hall1", RelayedRoom.token("hall1", 21))])
    RelayedRoom.send(relay, source, 10)
    _ = listener.takeEvents()
    source.join(uid: 1)
    source.media["lobby"]?.sequenceNumber = 60_000
    source.media["lobby"]?.timestamp = 7
    relay.run(500)
    RelayedRoom.send(relay, source, 10)
    #expect(listener.takeEvents() == [])
    let packets = try #require(listener.media["hall1"]).received
    #expect(packets.count == 20 && Set(packets.map(\.ssrc)).count == 1)
    #expect(zip(packets, packets.dropFirst()).allSatisfy { $1.sequenceNumber == $0.sequenceNumber &+ 1 })
    #expect(zip(packets, packets.dropFirst()).allSatisfy { Int32(bitPattern: $1.timestamp &- $0.timestamp) > 0 })
  }
}
