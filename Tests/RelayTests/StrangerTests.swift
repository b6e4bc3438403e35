import Platform
import Signalling
import TestSupport
import Testing

@testable import Relay

/// Clients that cost much and give nothing: without a session, or with many changes.
@Suite(.timeLimit(.minutes(10))) struct StrangerTests {
  @Test("messages without a session do not lengthen the time for 'hello'", .shows("strangers"))
  func hello() {
    let relay = SimulatedRelay()
    let stranger = relay.client()
    for _ in 0..<9 {
      relay.run(1_000)
      relay.send(text: "{\"type\":\"x\",\"id\":1}", on: stranger.connection)
      relay.send(text: "{}", on: stranger.connection)
    }
    #expect(stranger.closedCode == nil)
    relay.run(1_100)
    #expect(stranger.closedCode == 1008)
    #expect(relay.core.connectionCount == 0)
  }

  @Test("connections of one address without a session have a limit", .shows("strangers", "C21"))
  func waiting() throws {
    let relay = SimulatedRelay { $0.limits.waitingConnections = 20 }
    func open(_ number: UInt64, _ host: String) throws {
      let address = try #require(SocketAddress(host: host, port: UInt16(number)))
      relay.core.opened(number, from: address, nowNanoseconds: relay.now)
    }
    for number in 10_000..<10_100 as Range<UInt64> { try open(number, "192.0.2.9") }
    #expect(relay.core.connectionCount == 20)
    #expect(relay.core.counters.refusedConnections == 80)
    let end = try #require(relay.core.takeDisconnect())
    #expect(end.code == 1013)
    #expect(end.reason.contains("20 connections") && end.reason.contains("--max-waiting-connections"))
    // Others have their own limit, and a network of IPv6 counts as one address.
    for number in 11_000..<11_005 as Range<UInt64> { try open(number, "192.0.2.10") }
    for number in 12_000..<12_040 as Range<UInt64> { try open(number, "2001:db8:1:2::\(number - 11_999)") }
    #expect(relay.core.connectionCount == 45)
    // Each has a place again after 'hello', after its end, and after the time for 'hello'.
    relay.core.closed(10_000, nowNanoseconds: relay.now)
    try open(10_200, "192.0.2.9")
    #expect(relay.core.connectionCount == 45)
    let hello = HelloRequest(id: 1, credential: .app(SimulatedRelay.openApp))
    relay.core.received(Array(ClientMessage.hello(hello).text.utf8), on: 10_001, nowNanoseconds: relay.now)
    try open(10_201, "192.0.2.9")
    #expect(relay.core.connectionCount == 46)
    relay.run(10_100)
    #expect(relay.core.connectionCount == 1)
    #expect(relay.core.waitingConnections.isEmpty)
  }

  @Test("a calendar step admits newly valid tokens and refuses expired ones", .shows("C12", "strangers"))
  func calendar() {
    let relay = SimulatedRelay()
    let late = SimulatedRelay.unixMilliseconds + 7_200_000
    relay.core.follow(unixMilliseconds: SimulatedRelay.unixMilliseconds + 100, nowNanoseconds: relay.now)
    #expect(relay.core.counters.clockSteps == 0)
    let future = relay.client()
    future.hello(SimulatedRelay.token(uid: 1, seconds: 20_000, notBefore: late / 1_000 - 60))
    #expect(future.takeEvents() == ["failed -110/8"])
    relay.core.follow(unixMilliseconds: late, nowNanoseconds: relay.now)
    #expect(relay.core.counters.clockSteps == 1)
    #expect(relay.core.counters.lastClockStepMilliseconds == 7_200_000)
    let expired = relay.client()
    expired.hello(SimulatedRelay.token(uid: 1))
    #expect(expired.takeEvents() == ["failed -109/9"])
    let valid = relay.client()
    valid.hello(SimulatedRelay.token(uid: 1, seconds: 20_000, notBefore: late / 1_000 - 60))
    #expect(valid.takeEvents() == ["welcome"])
    relay.core.follow(unixMilliseconds: SimulatedRelay.unixMilliseconds, nowNanoseconds: relay.now)
    #expect(relay.core.counters.lastClockStepMilliseconds == -7_200_000)
  }

  @Test("user changes are reported at most ten times a second, the last always", .shows("strangers"))
  func changes() {
    let relay = SimulatedRelay()
    let listener = relay.client(SimulatedRelay.token())
    listener.join(uid: 1)
    let user = relay.client(SimulatedRelay.token())
    user.join(uid: 2)
    relay.run(500)
    _ = listener.takeEvents()
    for number in 0..<200 {
      user.update(muted: number % 2 == 0)
      relay.run(5)
    }
    // It ends unmuted, as it began: the last report must not be of the muted user.
    user.update(muted: true)
    relay.run(1_000)
    let events = listener.takeEvents()
    #expect(events.count >= 10 && events.count <= 25, "\(events.count)")
    #expect(events.last == "userUpdated 2 muted")
    #expect(relay.core.counters.delayedChanges > 50)
    user.update(muted: false)
    relay.run(1)
    #expect(listener.takeEvents() == ["userUpdated 2 unmuted"])
  }

  @Test("a user that leaves with an unreported change has one end", .shows("strangers"))
  func unreported() {
    let relay = SimulatedRelay()
    let listener = relay.client(SimulatedRelay.token())
    listener.join(uid: 1)
    let user = relay.client(SimulatedRelay.token())
    user.join(uid: 2)
    relay.run(500)
    _ = listener.takeEvents()
    for number in 0..<40 { user.update(role: number % 2 == 0 ? .audience : .broadcaster) }
    let late = relay.client(SimulatedRelay.token())
    late.join(uid: 3)
    #expect(late.takeEvents() == ["welcome", "joined 3 [1 2]"])
    user.update(role: .audience)
    user.leave()
    relay.run(500)
    var present = true
    for event in listener.takeEvents() where event.hasPrefix("user") && event.split(separator: " ")[1] == "2" {
      #expect(event.hasPrefix("userLeft") == present, "\(event)")
      present.toggle()
    }
    #expect(!present)
    #expect(late.takeEvents().last == "userLeft 2 0")
  }

  @Test("users that went before their first packet hold no place of a publisher", .shows("strangers"))
  func storm() {
    let relay = SimulatedRelay { $0.limits.publishersPerChannel = 2 }
    for uid in 1...20 as ClosedRange<UInt32> {
      let client = relay.client(SimulatedRelay.token())
      client.join(uid: uid)
      #expect(client.takeEvents().contains { $0.hasPrefix("joined") }, "\(uid)")
      relay.close(client.connection)
    }
    let user = relay.client(SimulatedRelay.token())
    user.join(uid: 30)
    let second = relay.client(SimulatedRelay.token())
    second.join(uid: 31)
    let third = relay.client(SimulatedRelay.token())
    third.join(uid: 32)
    #expect(second.takeEvents().contains { $0.hasPrefix("joined") })
    #expect(third.takeEvents().last?.hasPrefix("failed") == true)
  }
}
