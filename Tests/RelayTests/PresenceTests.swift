import Signalling
import TestSupport
import Testing

@testable import Relay

/// Reports about users by profile, and users without a packet.
@Suite(.timeLimit(.minutes(10))) struct PresenceTests {
  @Test(
    "a profile with roles reports broadcasters, any other all users", .shows("C6", "C10"),
    arguments: [ChannelProfile.communication, .live, .gameFree, .gameCommand])
  func profiles(profile: ChannelProfile) {
    let relay = SimulatedRelay()
    let first = relay.client(SimulatedRelay.token())
    first.join(uid: 1, profile: profile)
    let second = relay.client(SimulatedRelay.token())
    second.join(uid: 2, role: .audience, profile: profile, publishes: false)
    let third = relay.client(SimulatedRelay.token())
    third.join(uid: 3, profile: profile)
    let all = !profile.hasRoles
    #expect(first.takeEvents() == ["welcome", "joined 1 []"] + (all ? ["userJoined 2"] : []) + ["userJoined 3"])
    #expect(second.takeEvents() == ["welcome", "joined 2 [1]", "userJoined 3"])
    #expect(third.takeEvents() == ["welcome", "joined 3 [\(all ? "1 2" : "1")]"])
  }

  @Test("hidden users and recorders are not reported", .shows("C20"))
  func hidden() {
    let relay = SimulatedRelay()
    let first = relay.client(SimulatedRelay.token())
    first.join(uid: 1)
    let recorder = relay.client(SimulatedRelay.token(rights: .recorder))
    recorder.join(uid: 2, publishes: false)
    relay.run(500)
    first.media["lobby"]?.sendPacket(1)
    relay.run(50)
    #expect(recorder.media["lobby"]?.received.count == 1)
    recorder.leave()
    #expect(first.takeEvents() == ["welcome", "joined 1 []"])
  }

  @Test(
    "a user without a packet is dropped after the time of its profile", .shows("C7"),
    arguments: [(ChannelProfile.communication, 20), (.live, 25), (.gameFree, 15), (.gameCommand, 15)])
  func dropped(profile: ChannelProfile, seconds: Int) throws {
    let relay = SimulatedRelay()
    let clients = (1...2).map { uid in
      let client = relay.client(SimulatedRelay.token())
      client.join(uid: UInt32(uid), profile: profile)
      return client
    }
    relay.run(1_000)
    let media = try #require(clients[0].media["lobby"])
    media.sendPacket(1)
    relay.run(10)
    // The packet arrives at 1010 ms.
    relay.close(clients[0].connection)
    relay.cut.insert(media.address)
    _ = clients[1].takeEvents()
    for _ in 0..<30 {
      clients[1].send(.ping(PingRequest(id: 1)))
      relay.run(1_000)
    }
    #expect(
      clients[1].takeTimedEvents().filter { !$0.hasSuffix("pong") } == ["\(1_010 + seconds * 1_000) userLeft 1 1"])
    #expect(relay.core.counters.drops == 1 && relay.core.sessionCount == 1)
  }

  @Test(
    "a profile's drop time is a setting, and the join's answer has it", .shows("C7"),
    arguments: [(ChannelProfile.communication, 3), (.live, 40), (.gameFree, 7), (.gameCommand, 7)])
  func settings(profile: ChannelProfile, seconds: Int) throws {
    let relay = SimulatedRelay {
      ($0.dropTimes.communication, $0.dropTimes.live, $0.dropTimes.game) = (
        3_000_000_000, 40_000_000_000, 7_000_000_000
      )
    }
    let clients = (1...2).map { uid in
      let client = relay.client(SimulatedRelay.token())
      let media = client.join(uid: UInt32(uid), profile: profile)
      #expect(media.answer?.dropMilliseconds == Int64(seconds * 1_000))
      return client
    }
    relay.run(1_000)
    let media = try #require(clients[0].media["lobby"])
    media.sendPacket(1)
    relay.run(10)
    relay.close(clients[0].connection)
    relay.cut.insert(media.address)
    _ = clients[1].takeEvents()
    for _ in 0..<50 {
      clients[1].send(.ping(PingRequest(id: 1)))
      relay.run(1_000)
    }
    #expect(
      clients[1].takeTimedEvents().filter { !$0.hasSuffix("pong") } == ["\(1_010 + seconds * 1_000) userLeft 1 1"])
  }

  @Test("a user may lose its media for a drop time longer than 30 s", .shows("C7", "C8"))
  func longDropTime() throws {
    let relay = SimulatedRelay { $0.dropTimes.live = 60_000_000_000 }
    let clients = ForwardingTests.clients(2, relay)
    let media = try #require(clients[0].media["lobby"])
    for client in clients { _ = client.takeEvents() }
    relay.cut.insert(media.address)
    func run(_ seconds: Int) {
      for _ in 0..<seconds {
        for client in clients { client.send(.ping(PingRequest(id: 1))) }
        relay.run(1_000)
      }
    }
    run(40)
    #expect(clients[0].takeEvents().filter { $0 != "pong" } == ["failed -1/14"] && relay.core.transportCount == 1)
    clients[0].join(uid: 1)
    run(5)
    #expect(clients[0].takeEvents().filter { $0 != "pong" } == ["joined 1 [2]"])
    #expect(clients[1].takeEvents().allSatisfy { $0 == "pong" } && relay.core.transportCount == 2)
    // Without its media, messages do not keep the user.
    relay.cut.insert(try #require(clients[0].media["lobby"]).address)
    run(100)
    #expect(clients[1].takeEvents().filter { $0 != "pong" } == ["userLeft 1 1"] && relay.core.transportCount == 1)
  }

  @Test("pings and checks keep a silent user in the channel", .shows("C7"))
  func silent() {
    let relay = SimulatedRelay()
    let clients = ForwardingTests.clients(2, relay)
    relay.close(clients[0].connection)
    for _ in 0..<60 {
      clients[1].send(.ping(PingRequest(id: 1)))
      relay.run(1_000)
    }
    #expect(clients[1].takeEvents().contains { $0.hasPrefix("userLeft") } == false)
  }

  @Test("a user that returns within the time is not reported, one after it is", .shows("C7", "C1a"))
  func returns() throws {
    for seconds in [24, 26] {
      let relay = SimulatedRelay()
      let clients = ForwardingTests.clients(2, relay)
      let media = try #require(clients[0].media["lobby"])
      relay.close(clients[0].connection)
      relay.cut.insert(media.address)
      _ = clients[1].takeEvents()
      for _ in 0..<seconds {
        clients[1].send(.ping(PingRequest(id: 1)))
        relay.run(1_000)
      }
      clients[0].reconnect()
      clients[0].hello(SimulatedRelay.token(uid: 1), resume: clients[0].resume)
      clients[0].join(uid: 1)
      let events = clients[1].takeEvents().filter { $0 != "pong" }
      #expect(events == (seconds == 24 ? [] : ["userLeft 1 1", "userJoined 1"]))
    }
  }

  @Test("a user is dropped if its media never connects", .shows("C7"))
  func unconnected() throws {
    let relay = SimulatedRelay()
    let client = relay.client(SimulatedRelay.token())
    relay.loss.toRelay = 1
    client.join(uid: 1)
    for _ in 0..<40 {
      client.send(.ping(PingRequest(id: 1)))
      relay.run(1_000)
    }
    #expect(client.takeTimedEvents().filter { $0.contains("failed") } == ["30000 failed -1/14"])
    #expect(relay.core.transportCount == 0 && relay.core.channelCount == 0 && relay.core.sessionCount == 1)
  }

  @Test("changes of mute and publication are reported once", .shows("D7"))
  func updates() {
    let relay = SimulatedRelay()
    let clients = ForwardingTests.clients(2, relay)
    for client in clients { _ = client.takeEvents() }
    clients[0].update(muted: true)
    clients[0].update(muted: true)
    clients[0].update(publishes: false)
    clients[0].update(publishes: true, muted: false)
    #expect(clients[0].takeEvents() == Array(repeating: "updated", count: 4))
    #expect(
      clients[1].takeEvents() == ["userUpdated 1 muted", "userUpdated 1 silent", "userUpdated 1 unmuted publishes"])
  }

  @Test("a drain moves the clients, refuses new ones and ends", .shows("relay"))
  func drain() {
    let relay = SimulatedRelay { $0.alternativeRelays = ["wss://b.example/"] }
    let clients = ForwardingTests.clients(2, relay)
    for client in clients { _ = client.takeEvents() }
    relay.core.drain(nowNanoseconds: relay.now)
    relay.take()
    #expect(clients[0].takeEvents() == ["moveTo wss://b.example/ 60000"])
    #expect(relay.client(SimulatedRelay.token()).takeEvents() == ["failed -5/10"])
    for _ in 0..<61 {
      for client in clients { client.send(.ping(PingRequest(id: 1))) }
      relay.run(1_000)
    }
    #expect(clients.allSatisfy { $0.closedCode == 1001 } && relay.core.isDrained)
    #expect(relay.core.sessionCount == 0 && relay.core.transportCount == 0)
  }

  @Test("a client that moves in a drain ends at once, without a report", .shows("relay", "C9"))
  func moved() {
    let relay = SimulatedRelay { $0.alternativeRelays = ["wss://b.example/"] }
    let clients = ForwardingTests.clients(2, relay)
    relay.core.drain(nowNanoseconds: relay.now)
    relay.take()
    for client in clients { _ = client.takeEvents() }
    relay.close(clients[0].connection)
    #expect(relay.core.sessionCount == 1 && relay.core.transportCount == 1)
    relay.run(1_000)
    #expect(clients[1].takeEvents() == [] && clients[1].closedCode == nil)
    relay.close(clients[1].connection)
    #expect(relay.core.sessionCount == 0 && relay.core.transportCount == 0 && relay.core.channelCount == 0)
  }

  @Test("a lost connection in a drain without other relays keeps its user", .shows("relay", "C7"))
  func stays() {
    let relay = SimulatedRelay()
    let clients = ForwardingTests.clients(2, relay)
    relay.core.drain(nowNanoseconds: relay.now)
    relay.close(clients[0].connection)
    relay.run(1_000)
    #expect(relay.core.sessionCount == 2 && relay.core.transportCount == 2)
  }
}
