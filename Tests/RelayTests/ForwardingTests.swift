import Platform
import Signalling
import TestSupport
import Testing

@testable import Relay

/// Packets of users reach exactly the other users of their channel.
@Suite(.timeLimit(.minutes(10))) struct ForwardingTests {
  /// Clients of one channel with uids 1..., connected.
  static func clients(_ count: Int, _ relay: SimulatedRelay) -> [SimulatedClient] {
    let clients = (1...count).map { number in
      let client = relay.client(SimulatedRelay.token(uid: UInt32(number)))
      client.join(uid: UInt32(number))
      return client
    }
    relay.run(500)
    return clients
  }

  @Test("three users hear exactly the two others", .shows("relay"))
  func three() throws {
    let relay = SimulatedRelay()
    let clients = Self.clients(3, relay)
    let stranger = relay.client(SimulatedRelay.token(uid: 9, channel: "hall"))
    stranger.join("hall", uid: 9)
    let foreigner = relay.client(SimulatedRelay.token(uid: 1, app: SimulatedRelay.otherApp, secret: 2))
    foreigner.join(uid: 1)
    relay.run(500)
    for _ in 0..<50 {
      for (index, client) in clients.enumerated() { client.media["lobby"]?.sendPacket(UInt8(index + 1)) }
      stranger.media["hall"]?.sendPacket(9)
      foreigner.media["lobby"]?.sendPacket(99)
      relay.run(20)
    }
    relay.run(100)
    for (index, client) in clients.enumerated() {
      let packets = try #require(client.media["lobby"]).received
      let others = [1, 2, 3].filter { $0 != index + 1 }
      for other in others {
        let own = packets.filter { $0.payload == [UInt8](repeating: UInt8(other), count: 40) }
        #expect(own.count == 50)
        #expect(Set(own.map(\.ssrc)).count == 1)
        let timestamps: [UInt32] = (0..<50).map { 1_000 + 960 * $0 }
        #expect(own.map(\.timestamp) == timestamps)
        #expect(own.allSatisfy { $0.payloadType == 111 && $0.level == UInt8(other) })
        let first = own[0].sequenceNumber
        let numbers: [UInt16] = (0..<50).map { first &+ $0 }
        #expect(first < 32_768)
        #expect(own.map(\.sequenceNumber) == numbers)
      }
      #expect(packets.count == 100 && Set(packets.map(\.ssrc)).count == 2)
    }
    #expect(stranger.media["hall"]?.received.isEmpty == true && foreigner.media["lobby"]?.received.isEmpty == true)
    #expect(relay.core.counters.forwarded == 300)
  }

  @Test("a user is notified of the others, and the others of it", .shows("relay"))
  func announcements() {
    let relay = SimulatedRelay()
    let clients = Self.clients(3, relay)
    #expect(clients[0].takeEvents() == ["welcome", "joined 1 []", "userJoined 2", "userJoined 3"])
    #expect(clients[1].takeEvents() == ["welcome", "joined 2 [1]", "userJoined 3"])
    #expect(clients[2].takeEvents() == ["welcome", "joined 3 [1 2]"])
    clients[1].leave()
    #expect(clients[1].takeEvents() == ["left"])
    #expect(clients[0].takeEvents() == ["userLeft 2 0"] && clients[2].takeEvents() == ["userLeft 2 0"])
  }

  @Test("a newcomer hears the first packet within 3 round trips and 30 ms", .shows("relay"), arguments: [0, 20, 100])
  func newcomer(roundTrip: Int) throws {
    let relay = SimulatedRelay()
    let clients = Self.clients(1, relay)
    relay.delay = roundTrip * 500_000
    let listener = relay.client(SimulatedRelay.token(uid: 9))
    let start = relay.now / 1_000_000
    listener.join(uid: 9)
    for _ in 0..<100 {
      clients[0].media["lobby"]?.sendPacket(1)
      relay.run(10)
    }
    let first = try #require(listener.media["lobby"]?.received.first)
    #expect(first.milliseconds - start <= 3 * roundTrip + 30, "\(first.milliseconds - start)")
  }

  @Test("a source has one key, as IPv4 and as mapped IPv6", .shows("relay"))
  func keys() throws {
    func key(_ host: String, _ port: UInt16) throws -> RouteKey {
      RouteKey(try #require(SocketAddress(host: host, port: port)))
    }
    #expect(try key("192.0.2.7", 9) == key("::ffff:192.0.2.7", 9))
    let others = [
      try key("192.0.2.7", 9), try key("192.0.2.7", 10), try key("192.0.2.8", 9), try key("2001:db8::1", 9),
    ]
    #expect(Set(others + [try key("2001:db8::2", 9), try key("2001:db8::1", 10)]).count == 6)
  }

  @Test("an empty channel has no deadline", .shows("relay"))
  func empty() {
    let relay = SimulatedRelay()
    let clients = Self.clients(3, relay)
    for client in clients { client.media["lobby"]?.sendPacket(1) }
    relay.run(100)
    weak let peer = relay.core.forwarders.flatMap(\.peersByFragment.values).first
    weak let member = relay.core.channels.values.first?.members[1]
    #expect(peer != nil && member != nil)
    for client in clients {
      client.leave()
      relay.close(client.connection)
    }
    #expect(peer == nil && member == nil)
    #expect(relay.core.nextDeadlineNanoseconds == nil && relay.core.sessionCount == 0)
    #expect(relay.core.channelCount == 0 && relay.core.transportCount == 0 && relay.core.routeCount == 0)
  }
}
