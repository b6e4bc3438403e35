import RTP
import Signalling
import TestSupport
import Testing

@testable import Relay

/// Users that are heard in other channels than their own.
@Suite(.timeLimit(.minutes(10))) struct MediaRelayTests {
  static let halls = (1...6).map { "hall\($0)" }

  /// A token for a user of a channel.
  static func token(_ channel: String, _ uid: UInt32, role: TokenRole = .broadcaster, seconds: Int64 = 3_600) -> String
  {
    SimulatedRelay.token(uid: uid, channel: channel, role: role, seconds: seconds)
  }

  static func join(
    _ relay: SimulatedRelay, _ channel: String, _ uid: UInt32, role: ClientRole = .broadcaster, publishes: Bool = true
  ) -> SimulatedClient {
    let client = relay.client(token(channel, uid))
    client.join(channel, uid: uid, role: role, publishes: publishes)
    return client
  }

  /// User 1 of the lobby, with the right to relay to the halls.
  static func source(_ relay: SimulatedRelay, relayTo: [String] = halls) -> SimulatedClient {
    let client = relay.client(SimulatedRelay.token(uid: 1, relayTo: relayTo))
    client.join(uid: 1)
    return client
  }

  static func send(_ relay: SimulatedRelay, _ client: SimulatedClient, _ count: Int, mark: UInt8 = 5) {
    for _ in 0..<count {
      client.media["lobby"]?.sendPacket(mark)
      relay.run(20)
    }
    relay.run(20)
  }

  @Test(
    "a user is heard in six channels under the uids of its tokens", .shows("C18"), arguments: [1, 3])
  func heard(workers: Int) throws {
    let relay = SimulatedRelay { $0.workerCount = workers }
    let source = Self.source(relay)
    let neighbour = Self.join(relay, "lobby", 2)
    let listeners = Self.halls.map { Self.join(relay, $0, 9) }
    relay.run(500)
    #expect(Set(relay.core.channels.values.map(\.forwarder.index)).count == workers)
    for client in relay.clients { _ = client.takeEvents() }
    source.relay(to: Self.halls.enumerated().map { ($1, Self.token($1, UInt32(21 + $0))) })
    let uids = Self.halls.enumerated().map { "\($1) \(21 + $0)" }.joined(separator: ", ")
    #expect(source.takeEvents() == ["mediaRelayed [\(uids)]"])
    Self.send(relay, source, 50)
    for (index, listener) in listeners.enumerated() {
      #expect(listener.takeEvents() == ["userJoined \(21 + index)"])
      let packets = try #require(listener.media[Self.halls[index]]).received
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
    let (source, listener) = (Self.source(relay), Self.join(relay, "hall1", 9))
    relay.run(500)
    let tokens = [("hall1", Optional(Self.token("hall1", 21)))]
    source.relay(to: tokens)
    Self.send(relay, source, 10)
    _ = (source.takeEvents(), listener.takeEvents())
    source.update(muted: true)
    Self.send(relay, source, 10)
    source.update(muted: false)
    Self.send(relay, source, 10)
    #expect(listener.takeEvents() == ["userUpdated 21 muted", "userUpdated 21 unmuted"])
    source.relay(to: tokens, paused: true)
    Self.send(relay, source, 10)
    // A user that mutes itself in a pause stays muted behind it.
    source.update(muted: true)
    source.relay(to: tokens)
    #expect(listener.takeEvents() == ["userUpdated 21 muted"])
    source.update(muted: false)
    Self.send(relay, source, 10)
    #expect(listener.takeEvents() == ["userUpdated 21 unmuted"])
    let packets = try #require(listener.media["hall1"]).received
    #expect(packets.count == 30)
    #expect(zip(packets, packets.dropFirst()).allSatisfy { $1.sequenceNumber == $0.sequenceNumber &+ 1 })
    source.relay(to: [])
    Self.send(relay, source, 10)
    #expect(listener.takeEvents() == ["userLeft 21 0"] && listener.media["hall1"]?.received.count == 30)
    #expect(source.takeEvents().filter { $0.contains("elay") }.last == "mediaRelayed []")
  }

  @Test("a user that becomes audience leaves the other channels", .shows("C18"))
  func roles() {
    let relay = SimulatedRelay()
    let (source, listener) = (Self.source(relay), Self.join(relay, "hall1", 9))
    source.relay(to: [("hall1", Self.token("hall1", 21))])
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
    let source = Self.source(relay)
    let listeners = Self.halls[..<3].map { Self.join(relay, $0, 9) }
    func relayTo(_ uids: [(Int, UInt32)]) {
      source.relay(to: uids.map { ("hall\($0.0)", Self.token("hall\($0.0)", $0.1)) })
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
    let source = Self.source(relay, relayTo: ["hall1", "hall2", "hall3", "hall4"])
    let listener = Self.join(relay, "hall1", 9)
    let full = [Self.join(relay, "hall2", 8), Self.join(relay, "hall2", 9)]
    let good = ("hall1", Optional(Self.token("hall1", 21)))
    source.relay(to: [good])
    _ = (source.takeEvents(), listener.takeEvents())
    let cases: [(channel: String, token: String?, refusal: String)] = [
      // The source's token does not name the channel.
      ("hall5", Self.token("hall5", 21), "failed -5 to hall5"),
      // The token is for another channel, has expired, is missing, or is for the audience.
      ("hall3", Self.token("hall1", 21), "failed -110 to hall3"),
      ("hall3", Self.token("hall3", 21, seconds: -1), "failed -109 to hall3"),
      ("hall3", nil, "failed -110 to hall3"),
      ("hall3", Self.token("hall3", 21, role: .audience), "failed -5 to hall3"),
      ("hall3", "x.y.z", "failed -110 to hall3"),
      ("hall1", Self.token("hall1", 9), "failed -121 to hall1"),
      ("hall2", Self.token("hall2", 21), "failed -5 publishers 2 to hall2"),
    ]
    for (channel, token, refusal) in cases {
      source.relay(to: channel == "hall1" ? [(channel, token)] : [good, (channel, token)])
      #expect(source.takeEvents() == [refusal])
    }
    // The fourth channel is the last.
    source.relay(to: [good, ("hall3", Self.token("hall3", 21))])
    source.relay(to: [good, ("hall3", Self.token("hall3", 21)), ("hall4", Self.token("hall4", 21))])
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
    let source = Self.source(relay)
    let first = Self.join(relay, "hall1", 9)
    source.relay(to: [("hall1", Self.token("hall1", 21))])
    let second = Self.join(relay, "hall1", 10)
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
    let source = Self.source(relay)
    let first = Self.join(relay, "hall1", 9)
    source.relay(to: [("hall1", Self.token("hall1", 21))])
    let second = Self.join(relay, "hall1", 10)
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
    source.relay(to: [("hall1", Self.token("hall1", 21))])
    source.relay("attic", to: [("hall1", Self.token("hall1", 22))])
    #expect(source.takeEvents().suffix(2) == ["mediaRelayed [hall1 21]", "failed -17 to hall1"])
  }

  @Test("a token that names a user counts more than one for all", .shows("C18"))
  func proved() {
    let relay = SimulatedRelay()
    let source = Self.source(relay)
    source.relay(to: [("hall1", Self.token("hall1", 21))])
    // A token for any user does not take the place of a proved one.
    let intruder = relay.client(Self.token("hall1", 0))
    intruder.join("hall1", uid: 21, role: .audience)
    #expect(intruder.takeEvents() == ["welcome", "failed -121"])
    source.relay(to: [])
    intruder.join("hall1", uid: 21, role: .audience)
    source.relay(to: [("hall1", Self.token("hall1", 21))])
    #expect(intruder.takeEvents() == ["joined 21 []", "failed -5/19"])
    #expect(source.takeEvents().last == "mediaRelayed [hall1 21]")
  }

  @Test("a channel without users begins with a relayed one", .shows("C18"))
  func emptyChannel() throws {
    let relay = SimulatedRelay()
    let source = Self.source(relay)
    relay.run(500)
    source.relay(to: [("hall1", Self.token("hall1", 21))])
    #expect(relay.core.channelCount == 2)
    let listener = Self.join(relay, "hall1", 9)
    relay.run(500)
    Self.send(relay, source, 10)
    #expect(listener.takeEvents() == ["welcome", "joined 9 [21]"])
    #expect(listener.media["hall1"]?.received.count == 10)
    listener.leave("hall1")
    source.leave()
    #expect(relay.core.channelCount == 0 && relay.core.transportCount == 0)
    #expect(relay.core.forwarders.allSatisfy { $0.relayedUsers.isEmpty })
  }

  // MARK: Ends

  @Test("the relay to a channel ends with its token, and others continue", .shows("C18"))
  func expiry() {
    let relay = SimulatedRelay()
    let source = Self.source(relay)
    let listener = Self.join(relay, "hall1", 9)
    relay.run(500)
    source.relay(to: [("hall1", Self.token("hall1", 21, seconds: 10)), ("hall2", Self.token("hall2", 22))])
    // Another token for the same user lengthens the time.
    source.relay(to: [("hall1", Self.token("hall1", 21, seconds: 20)), ("hall2", Self.token("hall2", 22))])
    _ = (source.takeEvents(), listener.takeEvents())
    for _ in 0..<30 { Self.send(relay, source, 50) }
    #expect(source.takeTimedEvents() == ["20000 mediaRelayEnded hall1 -109"])
    #expect(listener.takeTimedEvents() == ["20000 userLeft 21 0"])
    #expect(relay.core.channelCount == 3)
  }

  @Test("the end of the user's own token ends its relays for good", .shows("C18"))
  func ownExpiry() {
    let relay = SimulatedRelay()
    let source = relay.client(SimulatedRelay.token(uid: 1, seconds: 5, relayTo: ["hall1"]))
    source.join(uid: 1)
    let listener = Self.join(relay, "hall1", 9)
    relay.run(500)
    source.relay(to: [("hall1", Self.token("hall1", 21))])
    _ = listener.takeEvents()
    relay.run(5_000)
    #expect(listener.takeEvents() == ["userLeft 21 0"])
    source.renew(SimulatedRelay.token(uid: 1, relayTo: ["hall1"]))
    source.join(uid: 1)
    relay.run(500)
    Self.send(relay, source, 10)
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
    for _ in 0..<7 { Self.send(relay, source, 50) }
    #expect(source.takeEvents().filter { $0.hasPrefix("mediaRelayEnded") } == [])
    #expect(relay.core.channelCount == 2)
    for _ in 0..<4 { Self.send(relay, source, 50) }
    #expect(relay.core.channelCount == 1)
  }

  @Test("a user that has become audience may pause its relays", .shows("C18"))
  func audiencePause() {
    let relay = SimulatedRelay()
    let source = Self.source(relay)
    let destinations = [("hall1", Optional(Self.token("hall1", 21)))]
    source.relay(to: destinations)
    source.update(role: .audience)
    source.relay(to: destinations, paused: true)
    #expect(source.takeEvents().last == "mediaRelayed [hall1 21]")
  }

  @Test("one request makes no more channels than the relay may have", .shows("C18"))
  func channelLimit() {
    let relay = SimulatedRelay { $0.limits.channels = 3 }
    let source = Self.source(relay)
    source.relay(to: Self.halls.map { ($0, Self.token($0, 21)) })
    #expect(source.takeEvents().last == "failed -5 relay-channels 3 to hall3" && relay.core.channelCount == 1)
  }

  @Test("the first user that joins chooses the profile of the channel", .shows("C18"))
  func profile() {
    let relay = SimulatedRelay()
    let source = Self.source(relay)
    source.relay(to: [("hall1", Self.token("hall1", 21))])
    let host = relay.client(Self.token("hall1", 9))
    host.join("hall1", uid: 9, profile: .communication)
    let guest = relay.client(Self.token("hall1", 10))
    guest.join("hall1", uid: 10, profile: .live)
    #expect(host.takeEvents() == ["welcome", "joined 9 [21]"] && guest.takeEvents() == ["welcome", "failed -2/4"])
  }

  @Test("a right that a new token takes away ends the relay", .shows("C18"))
  func rights() {
    let relay = SimulatedRelay()
    let source = Self.source(relay)
    source.relay(to: Self.halls[..<2].map { ($0, Self.token($0, 21)) })
    _ = source.takeEvents()
    source.renew(SimulatedRelay.token(uid: 1, relayTo: ["hall2"]))
    #expect(source.takeEvents() == ["tokenRenewed", "mediaRelayEnded hall1 -5"])
    // A token of the request has the right in place of the session's.
    let own = SimulatedRelay.token(uid: 1, seconds: 5, relayTo: ["hall1"])
    source.relay(to: [("hall1", Self.token("hall1", 21))], token: own)
    #expect(source.takeEvents() == ["mediaRelayed [hall1 21]"])
    source.relay(to: [("hall1", Self.token("hall1", 21))], token: SimulatedRelay.token(uid: 2, relayTo: ["hall1"]))
    #expect(source.takeEvents() == ["failed -110"])
    for _ in 0..<3 { Self.send(relay, source, 100) }
    #expect(source.takeEvents() == ["mediaRelayEnded hall1 -109"])
  }

  @Test("a join with the uid of a relayed user takes its place", .shows("C18"))
  func sameUser() {
    let relay = SimulatedRelay()
    let source = Self.source(relay)
    let listener = Self.join(relay, "hall1", 9)
    source.relay(to: [("hall1", Self.token("hall1", 21))])
    _ = (source.takeEvents(), listener.takeEvents())
    let other = Self.join(relay, "hall1", 21)
    #expect(source.takeEvents() == ["mediaRelayEnded hall1 -5"])
    #expect(listener.takeEvents() == ["userLeft 21 0", "userJoined 21"])
    #expect(other.takeEvents() == ["welcome", "joined 21 [9]"])
  }

  @Test("a removed secret ends the relays with its tokens", .shows("C18"))
  func revoked() {
    let relay = SimulatedRelay()
    let source = Self.source(relay)
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
    source.relay(to: [("hall1", foreign), ("hall2", Self.token("hall2", 22))])
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
    let source = Self.source(relay)
    let listener = Self.join(relay, "hall1", 9)
    relay.run(500)
    source.relay(to: [("hall1", Self.token("hall1", 21))])
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
    let (source, listener) = (Self.source(relay), Self.join(relay, "hall1", 9))
    relay.run(500)
    source.relay(to: [("hall1", Self.token("hall1", 21))])
    Self.send(relay, source, 10)
    _ = listener.takeEvents()
    source.join(uid: 1)
    source.media["lobby"]?.sequenceNumber = 60_000
    source.media["lobby"]?.timestamp = 7
    relay.run(500)
    Self.send(relay, source, 10)
    #expect(listener.takeEvents() == [])
    let packets = try #require(listener.media["hall1"]).received
    #expect(packets.count == 20 && Set(packets.map(\.ssrc)).count == 1)
    #expect(zip(packets, packets.dropFirst()).allSatisfy { $1.sequenceNumber == $0.sequenceNumber &+ 1 })
    #expect(zip(packets, packets.dropFirst()).allSatisfy { Int32(bitPattern: $1.timestamp &- $0.timestamp) > 0 })
  }

  // MARK: Packets

  @Test("browsers relay to others and hear relayed users", .shows("C18"), arguments: [true, false])
  func browsers(isSource: Bool) throws {
    let relay = SimulatedRelay()
    let source = relay.client(SimulatedRelay.token(uid: 1, relayTo: ["hall1"]))
    source.join(uid: 1, offer: isSource ? AiortcOffer() : nil)
    let listener = relay.client(Self.token("hall1", 9))
    listener.join("hall1", uid: 9, offer: isSource ? nil : AiortcOffer())
    relay.run(1_000)
    source.relay(to: [("hall1", Self.token("hall1", 21))])
    Self.send(relay, source, 20, mark: 33)
    let packets = try #require(listener.media["hall1"]).received
    #expect(packets.count == 20)
    #expect(packets.allSatisfy { $0.payloadType == (isSource ? 111 : AiortcOffer.payloadType) && $0.level == 33 })
  }

  @Test("the loudest speakers of a channel may be relayed ones", .shows("C18"))
  func speakers() throws {
    let relay = SimulatedRelay { $0.limits.speakers = 1 }
    let source = Self.source(relay)
    let quiet = Self.join(relay, "hall1", 8)
    let listener = Self.join(relay, "hall1", 9, publishes: false)
    relay.run(500)
    source.relay(to: [("hall1", Self.token("hall1", 21))])
    for step in 0..<100 {
      quiet.media["hall1"]?.sendPacket(UInt8(70 + step % 3))
      source.media["lobby"]?.sendPacket(UInt8(20 + step % 3))
      relay.run(20)
    }
    let packets = try #require(listener.media["hall1"]).received.filter { $0.payload.count > 1 }
    #expect(packets.suffix(50).allSatisfy { $0.payload[0] < 40 } && packets.count > 80)
  }

  @Test("the loss of listeners in other channels reaches the publisher", .shows("C18"), arguments: [1, 3])
  func loss(workers: Int) throws {
    let relay = SimulatedRelay { $0.workerCount = workers }
    let source = Self.source(relay)
    let listeners = Self.halls.map { Self.join(relay, $0, 9) }
    relay.run(500)
    source.relay(to: Self.halls.map { ($0, Self.token($0, 21)) })
    Self.send(relay, source, 60)
    for (hall, listener) in zip(Self.halls, listeners) {
      listener.media[hall]?.sendReport(fractionLost: hall == "hall4" ? 80 : 60)
    }
    Self.send(relay, source, 150)
    #expect(source.media["lobby"]?.blocks.map(\.fractionLost).max() == 80)
    // In a pause nobody there reports anything.
    source.relay(to: Self.halls.map { ($0, Self.token($0, 21)) }, paused: true)
    Self.send(relay, source, 100)
    #expect(source.media["lobby"]?.blocks.last?.fractionLost == 0)
  }

  @Test("a few listeners of another channel do not decide on the loss", .shows("C18"))
  func weights() throws {
    let relay = SimulatedRelay()
    let source = Self.source(relay)
    let own = (2...21).map { Self.join(relay, "lobby", $0) }
    let other = Self.join(relay, "hall1", 9)
    relay.run(500)
    source.relay(to: [("hall1", Self.token("hall1", 21))])
    Self.send(relay, source, 60)
    for listener in own { listener.media["lobby"]?.sendReport(fractionLost: 5) }
    other.media["hall1"]?.sendReport(fractionLost: 200)
    Self.send(relay, source, 150)
    #expect(source.media["lobby"]?.blocks.map(\.fractionLost).max() == 5)
  }

  @Test("too many new channels in a second are refused", .shows("C18"))
  func rate() {
    let relay = SimulatedRelay()
    let source = Self.source(relay)
    for _ in 0..<3 {
      source.relay(to: Self.halls.map { ($0, Self.token($0, 21)) })
      source.relay(to: [])
    }
    #expect(source.takeEvents().filter { $0.hasPrefix("failed") } == ["failed -12"])
    relay.run(3_000)
    source.relay(to: Self.halls.map { ($0, Self.token($0, 21)) })
    #expect(source.takeEvents().filter { $0.hasPrefix("failed") } == [])
  }

  @Test("packets beyond the memory are dropped, and the others keep their order")
  func memory() {
    let relay = SimulatedRelay()
    let packets = RelayedPackets()
    let bytes = [UInt8](repeating: 7, count: 1_000)
    var taken = 0
    let forwarder = relay.core.forwarders[0]
    let links = (1...30).map { RelayLink(UInt64($0), to: forwarder) }
    for sequence in 0..<1_000 {
      let waiting = bytes.withUnsafeBytes { packets.append($0, of: links[sequence % 30], sequence: sequence, epoch: 1) }
      if waiting != nil { taken += 1 }
      #expect((waiting == 0) == (sequence == 0))
    }
    var sequences: [Int] = []
    packets.takeAll { entry, packet in
      sequences.append(entry.sequence)
      #expect(entry.link == UInt64(entry.sequence % 30 + 1) && packet.elementsEqual(bytes))
    }
    #expect(taken == RelayedPackets.byteCount / 1_040 && sequences == Array(0..<taken) && packets.isEmpty)
    // One link has a share, again behind each reading.
    for _ in 0..<2 {
      let count = (0..<100).count { sequence in
        bytes.withUnsafeBytes { packets.append($0, of: links[0], sequence: sequence, epoch: 1) } != nil
      }
      #expect(count == RelayedPackets.shareByteCount / 1_040)
      packets.takeAll { _, _ in }
    }
  }
}
