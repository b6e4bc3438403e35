import Signalling
import TestSupport
import Testing

@testable import Relay

/// Users that come and go.
@Suite(.timeLimit(.minutes(10))) struct ChurnTests {
  @Test("an hour of churn leaves no state behind", .shows("relay"))
  func hour() throws {
    let relay = SimulatedRelay(seed: 21)
    var generator = SeededGenerator(seed: 22)
    var present: [SimulatedClient] = []
    var largest = 0
    // 12 s of virtual time for each of 300 rounds.
    for round in 0..<300 {
      relay.forgetClosed()
      let client = relay.client(SimulatedRelay.token(channel: "c\(round % 3)", seconds: 7_200))
      client.join("c\(round % 3)", role: round % 4 == 0 ? .audience : .broadcaster)
      present.append(client)
      if present.count > 6 {
        let gone = present.remove(at: Int.random(in: 0..<present.count, using: &generator))
        switch round % 3 {
        case 0:
          for channel in gone.media.keys { gone.leave(channel) }
          relay.close(gone.connection)
        case 1: relay.close(gone.connection)
        default: gone.media.values.forEach { relay.cut.insert($0.address) }
        }
        gone.isGone = true
      }
      for _ in 0..<3 {
        for client in present {
          client.send(.ping(PingRequest(id: 1)))
          for media in client.media.values { media.sendPacket(1) }
        }
        relay.run(4_000)
      }
      largest = max(largest, relay.core.transportCount)
    }
    #expect(relay.now == 3_600_000_000_000 && largest <= 16, "\(largest)")
    for client in present { relay.close(client.connection) }
    for client in relay.clients { for media in client.media.values { relay.cut.insert(media.address) } }
    relay.run(60_000)
    let core = relay.core
    #expect(
      [core.connectionCount, core.sessionCount, core.channelCount, core.transportCount, core.routeCount] == [
        0, 0, 0, 0, 0,
      ])
    #expect(core.sessions.identities.userCount == 0)
    #expect(core.nextDeadlineNanoseconds == nil && core.counters.forwarded > 1_000)
  }
}
