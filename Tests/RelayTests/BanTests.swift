import NetworkIO
import Platform
import RTP
import Signalling
import TestSupport
import Testing

@testable import Relay

/// Bans outlive the stay that they end.
@Suite("Bans of a relay", .timeLimit(.minutes(10))) struct BanTests {
  private static func flood(_ client: SimulatedClient, _ relay: SimulatedRelay) throws {
    let media = try #require(client.media["lobby"])
    let bans = relay.core.counters.bans
    for _ in 0..<700 where relay.core.counters.bans == bans {
      media.sendPacket(1)
      relay.run(10)
    }
    #expect(relay.core.counters.bans == bans + 1)
    _ = client.takeEvents()
  }

  private static func relay(_ change: (inout RelayConfiguration) -> Void = { _ in }) -> SimulatedRelay {
    SimulatedRelay {
      $0.limits.audiencePacketsPerSecond = 20
      change(&$0)
    }
  }

  @Test("a banned user with a token stays out for ten minutes, on every session", .shows("bans"))
  func user() throws {
    let relay = Self.relay()
    let token = SimulatedRelay.token(uid: 1)
    let client = relay.client(token)
    client.join(uid: 1, role: .audience, publishes: false)
    relay.run(500)
    try Self.flood(client, relay)
    client.join(uid: 1, role: .audience, publishes: false)
    #expect(client.takeEvents().last?.hasSuffix("/3") == true)
    let other = relay.client(token)
    #expect(other.takeEvents().first?.hasSuffix("/3") == true && relay.core.sessionCount == 1)
    let listed = relay.core.listBans(relay.now)
    #expect(listed.map(\.uid) == [1] && listed.first?.app == "app-1" && listed.first?.network == nil)
    let left =
      (listed.first?.endSeconds ?? 0) - SimulatedRelay.unixMilliseconds / 1_000 - Int64(relay.now / 1_000_000_000)
    #expect((590...600).contains(left))
    // Others are not concerned, whatever their address.
    client.reconnect()
    client.hello(SimulatedRelay.token(uid: 2))
    #expect(client.takeEvents() == ["welcome"])
    for _ in 0..<59 {
      relay.run(10_000)
      client.send(.ping(PingRequest(id: client.id())))
    }
    let late = relay.client(token)
    #expect(late.takeEvents().first?.hasSuffix("/3") == true)
    relay.run(11_000)
    #expect(relay.client(token).takeEvents() == ["welcome"])
  }

  @Test("without a token the session and its address stay out for a minute", .shows("bans"))
  func unproved() throws {
    let relay = Self.relay()
    let client = relay.client()
    client.hello(app: SimulatedRelay.openApp, user: .uid(1))
    client.join(uid: 1, role: .audience, publishes: false)
    relay.run(500)
    try Self.flood(client, relay)
    let listed = relay.core.listBans(relay.now)
    #expect(Set(listed.map(\.network)) == [nil, "198.51.100.2"] && listed.filter { $0.session != nil }.count == 1)
    client.join(uid: 1, role: .audience, publishes: false)
    #expect(client.takeEvents().last?.hasSuffix("/3") == true)
    client.reconnect()
    client.hello(app: SimulatedRelay.openApp, user: .uid(9))
    #expect(client.takeEvents().last?.hasSuffix("/3") == true)
    // A user with a token may come from the same address, and the same name from another one.
    client.reconnect()
    client.hello(SimulatedRelay.token(uid: 1))
    #expect(client.takeEvents() == ["welcome"])
    let other = relay.client()
    other.hello(app: SimulatedRelay.openApp, user: .uid(1))
    #expect(other.takeEvents() == ["welcome"])
    relay.run(61_000)
    client.reconnect()
    client.hello(app: SimulatedRelay.openApp, user: .uid(9))
    #expect(client.takeEvents().last == "welcome")
  }

  @Test("too many requests ban the user of the session", .shows("bans", "attack"))
  func requests() {
    let relay = Self.relay()
    let token = SimulatedRelay.token(uid: 1)
    let client = relay.client(token)
    for _ in 0..<300 { client.send(.ping(PingRequest(id: client.id()))) }
    #expect(client.closedCode == 1_008 && relay.core.counters.bans == 1)
    let again = relay.client(token)
    #expect(again.takeEvents().first?.hasSuffix("/3") == true)
  }

  @Test("a time of 0 bans nobody for longer than the stay", .shows("bans"))
  func none() throws {
    let relay = Self.relay { $0.banNanoseconds = 0 }
    let client = relay.client(SimulatedRelay.token(uid: 1))
    client.join(uid: 1, role: .audience, publishes: false)
    relay.run(500)
    try Self.flood(client, relay)
    client.join(uid: 1, role: .audience, publishes: false)
    #expect(client.takeEvents() == ["joined 1 []"])
  }

  @Test("a full table of bans loses the one that ends first", .shows("bans", "attack"))
  func table() {
    var table = BanTable()
    for index in 0..<BanTable.largestCount {
      table.add(.session("s\(index)"), untilNanoseconds: 1_000 + index, nowNanoseconds: 0)
    }
    #expect(table.count(0) == BanTable.largestCount)
    table.add(.session("one more"), untilNanoseconds: 9_000, nowNanoseconds: 0)
    #expect(table.count(0) == BanTable.largestCount && table.remainingNanoseconds(.session("s0"), 0) == nil)
    #expect(table.remainingNanoseconds(.session("s1"), 0) == 1_001)
    // A ban is never shortened.
    table.add(.session("one more"), untilNanoseconds: 10, nowNanoseconds: 0)
    #expect(table.remainingNanoseconds(.session("one more"), 8_999) == 1)
    table.add(.session("last"), untilNanoseconds: 30_000, nowNanoseconds: 20_000)
    #expect(table.count(20_000) == 1)
  }
}
