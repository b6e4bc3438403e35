import Platform
import Signalling
import TestSupport
import Testing

@testable import Relay

/// Roles and rights, enforced at the relay.
@Suite(.timeLimit(.minutes(10))) struct RoleTests {
  @Test("packets of an audience user are dropped before decryption", .shows("C7", "C11"))
  func audience() throws {
    let relay = SimulatedRelay()
    let clients = ForwardingTests.clients(2, relay)
    for client in clients { _ = client.takeEvents() }
    clients[0].update(role: .audience)
    let decrypted = relay.core.counters.packets
    for _ in 0..<50 {
      clients[0].media["lobby"]?.sendPacket(1)
      relay.run(20)
    }
    relay.run(50)
    #expect(clients[0].takeEvents() == ["updated"] && clients[1].takeEvents() == ["userLeft 1 2"])
    #expect(clients[1].media["lobby"]?.received.isEmpty == true)
    #expect(relay.core.counters.unauthorizedPackets == 50 && relay.core.counters.packets == decrypted)
    clients[0].update(role: .broadcaster)
    clients[0].media["lobby"]?.sendPacket(2)
    relay.run(50)
    #expect(clients[1].takeEvents() == ["userJoined 1"])
    #expect(clients[1].media["lobby"]?.received.map { $0.payload[0] } == [2])
  }

  @Test("an audience user with 150 packets a second for 5 s is banned", .shows("C8", "C11"))
  func banned() {
    for (rate, isBanned) in [(150, true), (99, false)] {
      let relay = SimulatedRelay()
      let clients = ForwardingTests.clients(2, relay)
      clients[0].update(role: .audience)
      relay.run(490)
      for client in clients { _ = client.takeEvents() }
      var time = 0
      for index in 1...(rate * 8) {
        clients[0].media["lobby"]?.sendPacket(1)
        let next = index * 1_000 / rate
        relay.run(next - time)
        time = next
      }
      #expect(clients[0].takeEvents() == (isBanned ? ["failed -5/3"] : []))
      #expect(relay.core.counters.bans == (isBanned ? 1 : 0))
      #expect(relay.core.transportCount == (isBanned ? 1 : 2))
    }
  }

  @Test("the fifth second in succession above 100 packets bans", .shows("C11"))
  func seconds() {
    func bans(_ counts: [Int]) -> [Bool] {
      var watch = AudienceWatch()
      return counts.enumerated().map { second, count in
        var isBanned = false
        for _ in 0..<count {
          isBanned = watch.count(limit: 100, nowNanoseconds: second * 1_000_000_000) || isBanned
        }
        return isBanned
      }
    }
    #expect(bans([101, 101, 101, 101, 101]) == [false, false, false, false, true])
    #expect(bans([101, 101, 100, 101, 101, 101, 101]) == Array(repeating: false, count: 7))
    #expect(bans([900, 900, 900, 0, 900, 900]) == Array(repeating: false, count: 6))
  }

  @Test("packets from another source at an audience user's port do not ban it", .shows("C11", "attack"))
  func foreign() {
    let relay = SimulatedRelay()
    let clients = ForwardingTests.clients(2, relay)
    clients[0].update(role: .audience)
    let stranger = SocketAddress(host: "203.0.113.9", port: 9)!
    for _ in 0..<8_000 {
      relay.deliver([0x80, 111, 0, 1, 0, 0, 0, 1, 0, 0, 0, 7, 1, 2, 3, 4], from: stranger)
      relay.run(1)
    }
    #expect(relay.core.counters.bans == 0 && relay.core.counters.unauthorizedPackets == 0)
  }

  @Test("a token without publish neither publishes nor becomes broadcaster", .shows("C20"))
  func rights() {
    let relay = SimulatedRelay()
    let client = relay.client(SimulatedRelay.token(rights: .subscribe))
    client.join(uid: 1)
    client.join(uid: 1, publishes: false)
    client.update(publishes: true)
    let audience = relay.client(SimulatedRelay.token(role: .audience))
    audience.join(uid: 2, role: .audience)
    audience.update(role: .broadcaster)
    #expect(client.takeEvents() == ["welcome", "failed -5/10", "joined 1 []", "failed -5"])
    #expect(client.media["lobby"]?.answer?.ssrc == nil)
    #expect(audience.takeEvents() == ["welcome", "joined 2 [1]", "failed -5"])
  }

  @Test("a hidden user that wants to publish is refused with a sentence", .shows("C20"))
  func hiddenPublisher() {
    let relay = SimulatedRelay()
    let token = SimulatedRelay.token(uid: 1, rights: [.hidden, .publish, .subscribe])
    let client = relay.client(token)
    client.join(uid: 1)
    client.join(uid: 1, publishes: false)
    client.join(uid: 1, role: .audience, profile: .communication)
    guard case .failed(let report)? = client.messages.last?.message else {
      Issue.record("the join is not refused")
      return
    }
    #expect(report.sentence.contains("'hidden' does not let its user publish"))
    client.join(uid: 1, role: .audience)
    client.update(role: .broadcaster)
    client.update(publishes: true)
    #expect(
      client.takeEvents() == [
        "welcome", "failed -5/10", "failed -5/10", "failed -5/10", "joined 1 []", "failed -5", "failed -5",
      ])
  }

  @Test("a token without subscribe hears nobody", .shows("C20"))
  func subscribing() {
    let relay = SimulatedRelay()
    let clients = ForwardingTests.clients(1, relay)
    let client = relay.client(SimulatedRelay.token(rights: .publish))
    client.join(uid: 5)
    relay.run(500)
    clients[0].media["lobby"]?.sendPacket(1)
    relay.run(100)
    #expect(client.media["lobby"]?.received.isEmpty == true)
    #expect(client.media["lobby"]?.answer?.users.map(\.ssrc) == [nil])
  }

  @Test("subscriptions and mutes of a listener count for it only", .shows("C4"))
  func options() {
    let relay = SimulatedRelay()
    let clients = ForwardingTests.clients(3, relay)
    let listener = relay.client(SimulatedRelay.token(uid: 4))
    listener.join(uid: 4, autoSubscribe: false)
    relay.run(500)
    #expect(listener.media["lobby"]?.answer?.users.allSatisfy { $0.ssrc == nil } == true)
    func heard(_ client: SimulatedClient) -> [UInt8] {
      for (index, client) in clients.enumerated() { client.media["lobby"]?.sendPacket(UInt8(index + 1)) }
      relay.run(100)
      for client in clients where client !== listener { _ = client.media["lobby"]?.takeReceived() }
      return (client.media["lobby"]?.takeReceived() ?? []).map { $0.payload[0] }.sorted()
    }
    _ = listener.takeEvents()
    #expect(heard(listener) == [])
    listener.update(users: [UserOptions(uid: 2, subscribes: true)])
    #expect(listener.takeEvents() == ["updated", "userUpdated 2 ssrc"] && heard(listener) == [2])
    listener.update(users: [UserOptions(uid: 2, muted: true), UserOptions(uid: 3, subscribes: true)])
    #expect(listener.takeEvents() == ["updated", "userUpdated 3 ssrc"] && heard(listener) == [3])
    listener.update(autoSubscribe: true)
    #expect(listener.takeEvents() == ["updated", "userUpdated 1 ssrc"] && heard(listener) == [1, 3])
    listener.update(users: [UserOptions(uid: 1, subscribes: false), UserOptions(uid: 2, muted: false)])
    #expect(listener.takeEvents() == ["updated"] && heard(listener) == [2, 3])
    listener.update(users: (1...3).map { UserOptions(uid: $0, automatic: true) })
    #expect(listener.takeEvents() == ["updated", "userUpdated 1 ssrc"] && heard(listener) == [1, 2, 3])
    listener.update(autoSubscribe: false)
    #expect(heard(listener) == [])
    // Options that say nothing take no place.
    #expect(relay.core.channels.values.first?.members[4]?.options.isEmpty == true)
  }

  @Test("a diagnosis names the cause of a silence", .shows("F19"))
  func diagnosis() {
    let relay = SimulatedRelay()
    let clients = ForwardingTests.clients(2, relay)
    func causes() -> [String] {
      _ = clients[1].takeEvents()
      clients[1].send(.diagnose(DiagnosisRequest(id: 1, channel: ChannelName("lobby")!, uid: 1)))
      return clients[1].takeEvents()
    }
    clients[1].send(.diagnose(DiagnosisRequest(id: 1, channel: ChannelName("lobby")!, uid: 77)))
    #expect(clients[1].takeEvents().last == "diagnosis 77 unknownUser")
    #expect(causes() == ["diagnosis 1 noPackets"])
    clients[0].media["lobby"]?.sendPacket(1)
    relay.run(100)
    #expect(causes() == ["diagnosis 1 notReceived"])
    clients[1].media["lobby"]?.sendReport(fractionLost: 0)
    relay.run(100)
    #expect(causes() == ["diagnosis 1 packetsFlow"])
    relay.core.noteDropped(7, nowNanoseconds: relay.now)
    #expect(causes() == ["diagnosis 1 relayDrops"] && relay.core.counters.droppedDatagrams == 7)
    relay.core.noteDropped(7, nowNanoseconds: relay.now + 20_000_000_000)
    #expect(relay.core.droppedNanoseconds == [relay.now])
    clients[1].update(users: [UserOptions(uid: 1, muted: true)])
    #expect(causes() == ["diagnosis 1 listenerMuted"])
    clients[1].update(users: [UserOptions(uid: 1, subscribes: false)])
    #expect(causes() == ["diagnosis 1 notSubscribed"])
    clients[0].update(muted: true)
    #expect(causes() == ["diagnosis 1 senderMuted"])
    clients[0].update(publishes: false)
    #expect(causes() == ["diagnosis 1 notPublishing"])
  }

  @Test("a user is heard again though it left before others were told of it", .shows("C11"))
  func unannounced() throws {
    let relay = SimulatedRelay()
    let clients = ForwardingTests.clients(2, relay)
    // More changes than a second's reports: the last one waits.
    for index in 0..<25 { clients[0].update(role: index % 2 == 0 ? .audience : .broadcaster) }
    clients[0].update(role: .broadcaster, publishes: true)
    clients[1].update(autoSubscribe: true)
    clients[0].leave()
    relay.run(100)
    let again = relay.client(SimulatedRelay.token(uid: 1))
    let media = again.join(uid: 1)
    relay.run(1_000)
    _ = clients[1].media["lobby"]?.takeReceived()
    for _ in 0..<10 {
      media.sendPacket(1)
      relay.run(20)
    }
    #expect(clients[1].media["lobby"]?.takeReceived().count == 10)
  }

  @Test("packets with an audience user's address alone do not ban it", .shows("C11", "attack"))
  func forged() throws {
    let relay = SimulatedRelay { $0.limits.audiencePacketsPerSecond = 20 }
    let client = relay.client(SimulatedRelay.token(uid: 1))
    let media = client.join(uid: 1, role: .audience, publishes: false)
    relay.run(500)
    #expect(media.isConnected)
    var packet = [UInt8](repeating: 0x55, count: 120)
    (packet[0], packet[1]) = (0x80, 111)
    for _ in 0..<700 {
      relay.deliver(packet, from: media.address)
      relay.run(10)
    }
    #expect(relay.core.counters.unauthorizedPackets == 700 && relay.core.counters.bans == 0)
    // Its own packets do.
    for _ in 0..<700 where relay.core.counters.bans == 0 {
      media.sendPacket(1)
      relay.run(10)
    }
    #expect(relay.core.counters.bans == 1)
  }

  @Test("packets beyond 500 in a second are dropped, without those of a stall", .shows("relay"))
  func packetRate() throws {
    let relay = SimulatedRelay()
    let clients = ForwardingTests.clients(2, relay)
    let listener = try #require(clients[1].media["lobby"])
    // 1 s of packets of 2.5 ms, and 2 s of them at once.
    for _ in 0..<400 {
      clients[0].media["lobby"]?.sendPacket(1)
      relay.run(2)
    }
    relay.run(500)
    for _ in 0..<800 { clients[0].media["lobby"]?.sendPacket(1) }
    relay.run(500)
    #expect(listener.takeReceived().count == 1_200 && relay.core.counters.limitedPackets == 0)
    relay.run(2_000)
    for _ in 0..<1_000 {
      for _ in 0..<10 { clients[0].media["lobby"]?.sendPacket(1) }
      relay.run(2)
    }
    // 2 s of them, and 1,000 at once.
    let count = listener.takeReceived().count
    #expect((1_900...2_100).contains(count) && relay.core.counters.limitedPackets > 7_000)
    #expect(clients[0].closedCode == nil)
  }
}
