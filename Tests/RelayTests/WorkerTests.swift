import Platform
import RTP
import Signalling
import TestSupport
import Testing

@testable import Relay

@Suite("Workers of a relay", .timeLimit(.minutes(10)))
struct WorkerTests {
  /// Two users in each of some channels, with their media connected.
  private static func pairs(
    _ channels: [String], workers: Int
  ) -> (relay: SimulatedRelay, pairs: [(name: String, SimulatedClient, SimulatedClient)]) {
    let relay = SimulatedRelay { $0.workerCount = workers }
    let pairs = channels.map { channel in
      let first = relay.client(SimulatedRelay.token(uid: 1, channel: channel))
      let second = relay.client(SimulatedRelay.token(uid: 2, channel: channel))
      first.join(channel, uid: 1)
      second.join(channel, uid: 2)
      return (channel, first, second)
    }
    relay.run(1_000)
    return (relay, pairs)
  }

  private static let names = (1...6).map { "room\($0)" }

  @Test("channels spread over the workers, each with its own port", .shows("relay: workers"), arguments: [2, 3, 6])
  func spread(workers: Int) throws {
    let (relay, pairs) = Self.pairs(Self.names, workers: workers)
    #expect(relay.core.forwarders.map { $0.transportCount } == Array(repeating: 12 / workers, count: workers))
    var ports: Set<UInt16> = []
    for (name, first, second) in pairs {
      let media = try #require(first.media[name])
      #expect(media.isConnected && second.media[name]?.relayAddress == media.relayAddress)
      ports.insert(media.relayAddress.port)
    }
    #expect(ports == Set((0..<workers).map { SimulatedRelay.address(of: $0).port }))
  }

  @Test("listeners get the same packets for every number of workers", .shows("relay: workers"), arguments: [2, 3, 5])
  func samePackets(workers: Int) throws {
    let (several, one) = (try Self.heard(workers: workers), try Self.heard(workers: 1))
    #expect(several.count > 1_000 && several.count == one.count)
    #expect(zip(several, one).first { $0 != $1 } == nil)
  }

  /// Messages, packets and reports of a course with mutes, an expiry of a token, a departure and a drop.
  private static func heard(workers: Int) throws -> [String] {
    let (relay, pairs) = pairs(names, workers: workers)
    for step in 0..<200 {
      for (name, first, second) in pairs {
        first.media[name]?.sendPacket(UInt8(step % 100))
        if step % 3 == 0 { second.media[name]?.sendPacket(7) }
      }
      if step == 50 { pairs[0].1.update(names[0], muted: true) }
      if step == 90 { pairs[0].1.update(names[0], muted: false) }
      if step == 100 { pairs[1].1.renew(SimulatedRelay.token(uid: 1, channel: names[1], seconds: 2)) }
      if step == 120 { pairs[2].1.leave(names[2]) }
      if step == 130 { relay.cut.insert(try #require(pairs[3].1.media[names[3]]).address) }
      relay.run(20)
    }
    relay.run(40_000)
    return pairs.flatMap { name, first, second in
      first.takeTimedEvents() + second.takeTimedEvents()
        + [first, second].flatMap { client -> [String] in
          guard let media = client.media[name] else { return [] }
          return media.takeReceived().map { "\($0.ssrc) \($0.sequenceNumber) \($0.timestamp) \($0.payload)" }
            + ["\(media.reports.count) reports, \(media.blocks.count) blocks"]
        }
    } + counts(of: relay)
  }

  /// Counts that do not depend on the moments of the clients' checks.
  private static func counts(of relay: SimulatedRelay) -> [String] {
    let names = ["messages", "packets", "forwarded", "retransmitted", "muted-packets", "malformed-packets", "drops"]
    return relay.core.counters.named.filter { names.contains($0.name) }.map { "\($0.name) \($0.value)" }
  }

  @Test("a datagram at another worker's port is dropped and counted", .shows("relay: workers"))
  func otherPort() throws {
    let (relay, pairs) = Self.pairs(["room1"], workers: 2)
    let media = try #require(pairs[0].1.media["room1"])
    let worker = Int(media.relayAddress.port - SimulatedRelay.address.port)
    relay.isCapturing = true
    media.sendPacket(1)
    relay.run(100)
    let packet = try #require(relay.captured(.rtp, from: media.address))
    let before = relay.core.counters
    relay.deliver(packet, from: media.address, local: 1 - worker, worker: 1 - worker)
    #expect(relay.core.counters.unknownDatagrams == before.unknownDatagrams + 1)
    #expect(relay.core.counters.packets == before.packets)
  }

  @Test("a preload chooses the worker of its channel", .shows("relay: workers"))
  func preload() throws {
    let relay = SimulatedRelay { $0.workerCount = 3 }
    let early = relay.client(SimulatedRelay.token(uid: 1, channel: "*"))
    let preloaded = ["a", "b", "c", "d"].map { name in (name, early.preload(name, uid: 1)) }
    relay.run(1_000)
    for (name, media) in preloaded {
      #expect(media.isConnected)
      let other = relay.client(SimulatedRelay.token(uid: 2, channel: name))
      let joined = other.join(name, uid: 2)
      early.join(name, uid: 1, role: .audience, publishes: false, preloaded: true)
      relay.run(1_000)
      #expect(joined.isConnected && joined.relayAddress == early.media[name]?.relayAddress)
      joined.sendPacket(5)
      relay.run(100)
      #expect(early.media[name]?.takeReceived().count == 1)
    }
    #expect(relay.core.counters.preloadedJoins == 4)
  }

  @Test("the worker with the fewest packets gets the next channel", .shows("relay: workers"))
  func placement() throws {
    var placement = ChannelPlacement(forwarderCount: 3)
    let app = SimulatedRelay.app
    func place(_ name: String, _ now: Int) -> Int {
      placement.place(ChannelKey(app: app, name: ChannelName(name)!), now)
    }
    placement.note([0, 0, 0], nowNanoseconds: 0)
    placement.note([1_000, 500, 900], nowNanoseconds: 1_000_000_000)
    #expect((0..<4).map { place("a\($0)", 1_000_000_000) } == [1, 1, 1, 1])
    // 1,000, 900 and 900 by now: the name chooses among the equal ones.
    #expect(Set((0..<20).map { _ in place("b", 1_000_000_000) }) == [0, 1, 2])
  }

  @Test("a channel counts for packets until its own are counted")
  func newChannels() {
    var placement = ChannelPlacement(forwarderCount: 2)
    func place(_ name: String, _ now: Int) -> Int {
      placement.place(ChannelKey(app: SimulatedRelay.app, name: ChannelName(name)!), now)
    }
    placement.note([0, 0], nowNanoseconds: 0)
    let first = place("a", 999_999_999)
    placement.note([0, 0], nowNanoseconds: 1_000_000_000)
    #expect(place("b", 1_000_000_000) == 1 - first)
    // After two seconds only the packets count: hundreds of them went through the second one.
    placement.note([0, 500], nowNanoseconds: 2_000_000_000)
    placement.note([0, 1_000], nowNanoseconds: 3_000_000_000)
    #expect((0..<4).map { place("c\($0)", 3_500_000_000) } == [0, 0, 0, 0])
  }

  @Test("a drain ends a full connection, and media goes on", .shows("relay: workers", "attack"))
  func drain() {
    let relay = SimulatedRelay {
      $0.limits.queuedByteCount = 4_096
      $0.limits.requestsPerSecond = 1_000
      $0.alternativeRelays = ["wss://" + String(repeating: "r", count: 200)]
    }
    let client = relay.client(SimulatedRelay.token(uid: 1, channel: "*"))
    client.preload("hall", uid: 1)
    relay.run(500)
    relay.unread[client.connection] = 0
    // The answers wait, and the next message of 230 bytes is one too many.
    while (relay.unread[client.connection] ?? 0) < 3_900 { client.send(.ping(PingRequest(id: client.id()))) }
    #expect(client.closedCode == nil && relay.core.transportCount == 1)
    relay.core.drain(nowNanoseconds: relay.now)
    #expect(!relay.core.holdsForwarder)
    relay.take()
    #expect(client.closedCode == 1_013 && relay.core.transportCount == 0)
  }
}
