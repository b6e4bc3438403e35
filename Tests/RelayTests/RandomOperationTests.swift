import Signalling
import TestSupport
import Testing
import WebRTC

@testable import Relay

/// Random changes of users on a network with losses.
@Suite(.timeLimit(.minutes(10))) struct RandomOperationTests {
  @Test("no number recurs, and an SSRC is one publisher's, whatever users do", .shows("relay"), arguments: 1...8)
  func operations(seed: Int) throws {
    let relay = SimulatedRelay(seed: UInt64(seed))
    var generator = SeededGenerator(seed: UInt64(seed) &+ 1_000)
    let clients = ForwardingTests.clients(4, relay)
    relay.loss = (Double.random(in: 0...0.2, using: &generator), Double.random(in: 0...0.2, using: &generator))
    var all: [SimulatedMedia] = clients.compactMap { $0.media["lobby"] }
    for _ in 0..<1_500 {
      for client in clients { client.media["lobby"]?.sendPacket(UInt8(client.number)) }
      relay.run(20)
      guard Int.random(in: 0..<10, using: &generator) == 0 else { continue }
      let client = clients[Int.random(in: 0..<4, using: &generator)]
      if let media = Self.change(client, &generator) { all.append(media) }
    }
    var count = 0
    for media in all {
      let packets = media.received
      count += packets.count
      #expect(media.transport?.counters.refused == 0)
      #expect(Set(packets.map { UInt64($0.ssrc) << 16 | UInt64($0.sequenceNumber) }).count == packets.count)
      for (_, some) in Dictionary(grouping: packets, by: \.ssrc) { #expect(Set(some.map(\.payload)).count == 1) }
      // A number later than another one has the later timestamp.
      for (_, some) in Dictionary(grouping: packets, by: \.ssrc) {
        let ordered = some.sorted { $0.sequenceNumber < $1.sequenceNumber }
        for (one, next) in zip(ordered, ordered.dropFirst()) {
          #expect(Int32(bitPattern: next.timestamp &- one.timestamp) > 0)
        }
      }
    }
    #expect(count > 2_000)
    let events = clients.map { $0.takeEvents() }.joined()
    #expect(events.contains { $0.contains(" preloaded ") })
    for client in clients {
      client.leave()
      relay.close(client.connection)
    }
    #expect(relay.core.nextDeadlineNanoseconds == nil && relay.core.transportCount == 0)
    #expect(relay.core.sessions.identities.userCount == 0)
  }

  /// Changes something; returns the new media connection after a join.
  private static func change(_ client: SimulatedClient, _ generator: inout SeededGenerator) -> SimulatedMedia? {
    let uid = UInt32(client.number)
    let other = UInt32.random(in: 1...4, using: &generator)
    let flag = Bool.random(using: &generator)
    switch Int.random(in: 0..<12, using: &generator) {
    case 0: client.update(muted: flag)
    case 1: client.update(publishes: flag)
    case 2: client.update(role: flag ? .broadcaster : .audience)
    case 3: client.update(users: [UserOptions(uid: other, subscribes: flag)])
    case 4: client.update(users: [UserOptions(uid: other, muted: flag)])
    case 5: client.media["lobby"]?.sequenceNumber &+= flag ? 20_000 : 1
    case 6: client.message(.uid(other))
    case 7: #expect(client.isOnline(.uid(other)) == true)
    case 8: client.preload(uid: uid)
    case 9: return client.join(uid: uid, role: flag ? .audience : .broadcaster, publishes: flag, preloaded: true)
    case 10:
      client.leave()
      return client.join(uid: uid)
    default: return client.join(uid: uid, autoSubscribe: flag)
    }
    return nil
  }
}
