import RTP
import Signalling
import TestSupport
import Testing

@testable import Relay

/// Users that are heard in other channels than their own.
@Suite(.timeLimit(.minutes(10))) struct MediaRelayTests {
  @Test(
    "a user is heard in six channels under the uids of its tokens", .shows("C18"), arguments: [1, 3])
  func heard(workers: Int) throws {
    let relay = SimulatedRelay { $0.workerCount = workers }
    let source = RelayedRoom.source(relay)
    let neighbour = RelayedRoom.join(relay, "lobby", 2)
    let listeners = RelayedRoom.halls.map { RelayedRoom.join(relay, $0, 9) }
    relay.run(500)
    #expect(Set(relay.core.channels.values.map(\.forwarder.index)).count == workers)
    for client in relay.clients { _ = client.takeEvents() }
    source.relay(to: RelayedRoom.halls.enumerated().map { ($1, RelayedRoom.token($1, UInt32(21 + $0))) })
    let uids = RelayedRoom.halls.enumerated().map { "\($1) \(21 + $0)" }.joined(separator: ", ")
    #expect(source.takeEvents() == ["mediaRelayed [\(uids)]"])
    RelayedRoom.send(relay, source, 50)
    for (index, listener) in listeners.enumerated() {
      #expect(listener.takeEvents() == ["userJoined \(21 + index)"])
      let packets = try #require(listener.media[RelayedRoom.halls[index]]).received
      #expect(packets.count == 50 && Set(packets.map(\.ssrc)).count == 1)
      #expect(packets.allSatisfy { $0.payload == [UInt8](repeating: 5, count: 40) && $0.level == 5 })
      let times: [UInt32] = (0..<50).map { 1_000 + 960 * $0 }
      #expect(packets.map(\.timestamp) == times)
      #expect(zip(packets, packets.dropFirst()).allSatisfy { $1.sequenceNumber == $0.sequenceNumber &+ 1 })
    }
    // The own channel has the user once, and nobody hears itself.
    #expect(neighbour.media["lobby"]?.received.count == 50 && source.media["lobby"]?.received.count == 0)
    #expect(neighbour.takeEvents() == [])
    #expect(relay.core.counters.relayedPackets == 300 && relay.core.counters.overflownRelayedPackets == 0)
  }

  @Test("mutes and pauses reach the other channels, and the numbers continue", .shows("C18"))
  func pauses() throws {
    let relay = SimulatedRelay()
    let (source, listener) = (RelayedRoom.source(relay), RelayedRoom.join(relay, "hall1", 9))
    relay.run(500)
    let tokens = [("hall1", Optional(RelayedRoom.token("hall1", 21)))]
    source.relay(to: tokens)
    RelayedRoom.send(relay, source, 10)
    _ = (source.takeEvents(), listener.takeEvents())
    source.update(muted: true)
    RelayedRoom.send(relay, source, 10)
    source.update(muted: false)
    RelayedRoom.send(relay, source, 10)
    #expect(listener.takeEvents() == ["userUpdated 21 muted", "userUpdated 21 unmuted"])
    source.relay(to: tokens, paused: true)
    RelayedRoom.send(relay, source, 10)
    // A user that mutes itself in a pause stays muted behind it.
    source.update(muted: true)
    source.relay(to: tokens)
    #expect(listener.takeEvents() == ["userUpdated 21 muted"])
    source.update(muted: false)
    RelayedRoom.send(relay, source, 10)
    #expect(listener.takeEvents() == ["userUpdated 21 unmuted"])
    let packets = try #require(listener.media["hall1"]).received
    #expect(packets.count == 30)
    #expect(zip(packets, packets.dropFirst()).allSatisfy { $1.sequenceNumber == $0.sequenceNumber &+ 1 })
    source.relay(to: [])
    RelayedRoom.send(relay, source, 10)
    #expect(listener.takeEvents() == ["userLeft 21 0"] && listener.media["hall1"]?.received.count == 30)
    #expect(source.takeEvents().filter { $0.contains("elay") }.last == "mediaRelayed []")
  }

  @Test("a user that becomes audience leaves the other channels", .shows("C18"))
  func roles() {
    let relay = SimulatedRelay()
    let (source, listener) = (RelayedRoom.source(relay), RelayedRoom.join(relay, "hall1", 9))
    source.relay(to: [("hall1", RelayedRoom.token("hall1", 21))])
    _ = listener.takeEvents()
    source.update(role: .audience)
    source.update(role: .broadcaster)
    #expect(listener.takeEvents() == ["userLeft 21 2", "userJoined 21"])
    source.update(publishes: false)
    #expect(listener.takeEvents() == ["userUpdated 21 silent"])
  }

  @Test("a request names all channels: one stays, one is new, one ends", .shows("C18"))
  func updates() {
    let relay = SimulatedRelay()
    let source = RelayedRoom.source(relay)
    let listeners = RelayedRoom.halls[..<3].map { RelayedRoom.join(relay, $0, 9) }
    func relayTo(_ uids: [(Int, UInt32)]) {
      source.relay(to: uids.map { ("hall\($0.0)", RelayedRoom.token("hall\($0.0)", $0.1)) })
    }
    for client in relay.clients { _ = client.takeEvents() }
    relayTo([(1, 21), (2, 22)])
    relayTo([(2, 22), (3, 23)])
    relayTo([(2, 32), (3, 23)])
    #expect(
      source.takeEvents() == [
        "mediaRelayed [hall1 21, hall2 22]", "mediaRelayed [hall2 22, hall3 23]", "mediaRelayed [hall2 32, hall3 23]",
      ])
    #expect(listeners[0].takeEvents() == ["userJoined 21", "userLeft 21 0"])
    #expect(listeners[1].takeEvents() == ["userJoined 22", "userLeft 22 0", "userJoined 32"])
    #expect(listeners[2].takeEvents() == ["userJoined 23"])
  }

  @Test("a refusal names its channel and changes nothing", .shows("C18"))
  func refusals() {
    let relay = SimulatedRelay {
      $0.limits.publishersPerChannel = 2
      $0.limits.channels = 4
    }
    let source = RelayedRoom.source(relay, relayTo: ["hall1", "hall2", "hall3", "hall4"])
    let listener = RelayedRoom.join(relay, "hall1", 9)
    let full = [RelayedRoom.join(relay, "hall2", 8), RelayedRoom.join(relay, "hall2", 9)]
    let good = ("hall1", Optional(RelayedRoom.token("hall1", 21)))
    source.relay(to: [good])
    _ = (source.takeEvents(), listener.takeEvents())
    let cases: [(channel: String, token: String?, refusal: String)] = [
      // The source's token does not name the channel.
      ("hall5", RelayedRoom.token("hall5", 21), "failed -5 to hall5"),
      // The token is for another channel, has expired, is missing, or is for the audience.
      ("hall3", RelayedRoom.token("hall1", 21), "failed -110 to hall3"),
      ("hall3", RelayedRoom.token("hall3", 21, seconds: -1), "failed -109 to hall3"),
      ("hall3", nil, "failed -110 to hall3"),
      ("hall3", RelayedRoom.token("hall3", 21, role: .audience), "failed -5 to hall3"),
      ("hall3", "x.y.z", "failed -110 to hall3"),
      ("hall1", RelayedRoom.token("hall1", 9), "failed -121 to hall1"),
      ("hall2", RelayedRoom.token("hall2", 21), "failed -5 publishers 2 to hall2"),
    ]
    for (channel, token, refusal) in cases {
      source.relay(to: channel == "hall1" ? [(channel, token)] : [good, (channel, token)])
      #expect(source.takeEvents() == [refusal])
    }
    // The fourth channel is the last.
    source.relay(to: [good, ("hall3", RelayedRoom.token("hall3", 21))])
    source.relay(to: [good, ("hall3", RelayedRoom.token("hall3", 21)), ("hall4", RelayedRoom.token("hall4", 21))])
    source.relay("attic", to: [good])
    #expect(
      source.takeEvents() == [
        "mediaRelayed [hall1 21, hall3 21]", "failed -5 relay-channels 4 to hall4", "failed -8",
      ])
    source.update(role: .audience)
    source.relay(to: [])
    source.relay(to: [good])
    #expect(source.takeEvents() == ["updated", "mediaRelayed []", "failed -8"])
    #expect(listener.takeEvents() == ["userLeft 21 2"] && full[0].closedCode == nil)
  }

  @Test("a relayed user counts for the limits of the other channel", .shows("C18"))
  func limits() {
    let relay = SimulatedRelay { $0.limits.usersPerChannel = 2 }
    let source = RelayedRoom.source(relay)
    let first = RelayedRoom.join(relay, "hall1", 9)
    source.relay(to: [("hall1", RelayedRoom.token("hall1", 21))])
    let second = RelayedRoom.join(relay, "hall1", 10)
    #expect(second.takeEvents() == ["welcome", "failed -5/10 users 2"])
    // Its place as a user stays while it is audience.
    source.update(role: .audience)
    second.join("hall1", uid: 10)
    #expect(second.takeEvents() == ["failed -5/10 users 2"])
    source.relay(to: [])
    second.join("hall1", uid: 10)
    #expect(second.takeEvents() == ["joined 10 [9]"] && first.closedCode == nil)
  }

  @Test("a user that returns to a channel without a place is no longer relayed", .shows("C18"))
  func publisherLimit() {
    let relay = SimulatedRelay { $0.limits.publishersPerChannel = 2 }
    let source = RelayedRoom.source(relay)
    let first = RelayedRoom.join(relay, "hall1", 9)
    source.relay(to: [("hall1", RelayedRoom.token("hall1", 21))])
    let second = RelayedRoom.join(relay, "hall1", 10)
    #expect(second.takeEvents() == ["welcome", "failed -5/20 publishers 2"])
    source.update(role: .audience)
    second.join("hall1", uid: 10)
    _ = (source.takeEvents(), first.takeEvents())
    source.update(role: .broadcaster)
    #expect(source.takeEvents() == ["updated", "mediaRelayEnded hall1 -5"])
    #expect(first.takeEvents() == [] && second.takeEvents() == ["joined 10 [9]"])
  }

  @Test("a session relays to a channel once", .shows("C18"))
  func once() {
    let relay = SimulatedRelay()
    let source = relay.client(SimulatedRelay.token(uid: 1, channel: "*", relayTo: ["hall1"]))
    source.join(uid: 1)
    source.join("attic", uid: 1)
    source.relay(to: [("hall1", RelayedRoom.token("hall1", 21))])
    source.relay("attic", to: [("hall1", RelayedRoom.token("hall1", 22))])
    #expect(source.takeEvents().suffix(2) == ["mediaRelayed [hall1 21]", "failed -17 to hall1"])
  }

  @Test("a token that names a user counts more than one for all", .shows("C18"))
  func proved() {
    let relay = SimulatedRelay()
    let source = RelayedRoom.source(relay)
    source.relay(to: [("hall1", RelayedRoom.token("hall1", 21))])
    // A token for any user does not take the place of a proved one.
    let intruder = relay.client(RelayedRoom.token("hall1", 0))
    intruder.join("hall1", uid: 21, role: .audience)
    #expect(intruder.takeEvents() == ["welcome", "failed -121"])
    source.relay(to: [])
    intruder.join("hall1", uid: 21, role: .audience)
    source.relay(to: [("hall1", RelayedRoom.token("hall1", 21))])
    #expect(intruder.takeEvents() == ["joined 21 []", "failed -5/19"])
    #expect(source.takeEvents().last == "mediaRelayed [hall1 21]")
  }

  @Test("a channel without users begins with a relayed one", .shows("C18"))
  func emptyChannel() throws {
    let relay = SimulatedRelay()
    let source = RelayedRoom.source(relay)
    relay.run(500)
    source.relay(to: [("hall1", RelayedRoom.token("hall1", 21))])
    #expect(relay.core.channelCount == 2)
    let listener = RelayedRoom.join(relay, "hall1", 9)
    relay.run(500)
    RelayedRoom.send(relay, source, 10)
    #expect(listener.takeEvents() == ["welcome", "joined 9 [21]"])
    #expect(listener.media["hall1"]?.received.count == 10)
    listener.leave("hall1")
    source.leave()
    #expect(relay.core.channelCount == 0 && relay.core.transportCount == 0)
    #expect(relay.core.forwarders.allSatisfy { $0.relayedUsers.isEmpty })
  }

  @Test("a user that has become audience may pause its relays", .shows("C18"))
  func audiencePause() {
    let relay = SimulatedRelay()
    let source = RelayedRoom.source(relay)
    let destinations = [("hall1", Optional(RelayedRoom.token("hall1", 21)))]
    source.relay(to: destinations)
    source.update(role: .audience)
    source.relay(to: destinations, paused: true)
    #expect(source.takeEvents().last == "mediaRelayed [hall1 21]")
  }

  @Test("one request makes no more channels than the relay may have", .shows("C18"))
  func channelLimit() {
    let relay = SimulatedRelay { $0.limits.channels = 3 }
    let source = RelayedRoom.source(relay)
    source.relay(to: RelayedRoom.halls.map { ($0, RelayedRoom.token($0, 21)) })
    #expect(source.takeEvents().last == "failed -5 relay-channels 3 to hall3" && relay.core.channelCount == 1)
  }

  @Test("the first user that joins chooses the profile of the channel", .shows("C18"))
  func profile() {
    let relay = SimulatedRelay()
    let source = RelayedRoom.source(relay)
    source.relay(to: [("hall1", RelayedRoom.token("hall1", 21))])
    let host = relay.client(RelayedRoom.token("hall1", 9))
    host.join("hall1", uid: 9, profile: .communication)
    let guest = relay.client(RelayedRoom.token("hall1", 10))
    guest.join("hall1", uid: 10, profile: .live)
    #expect(host.takeEvents() == ["welcome", "joined 9 [21]"] && guest.takeEvents() == ["welcome", "failed -2/4"])
  }

  @Test("too many new channels in a second are refused", .shows("C18"))
  func rate() {
    let relay = SimulatedRelay()
    let source = RelayedRoom.source(relay)
    for _ in 0..<3 {
      source.relay(to: RelayedRoom.halls.map { ($0, RelayedRoom.token($0, 21)) })
      source.relay(to: [])
    }
    #expect(source.takeEvents().filter { $0.hasPrefix("failed") } == ["failed -12"])
    relay.run(3_000)
    source.relay(to: RelayedRoom.halls.map { ($0, RelayedRoom.token($0, 21)) })
    #expect(source.takeEvents().filter { $0.hasPrefix("failed") } == [])
  }
}
