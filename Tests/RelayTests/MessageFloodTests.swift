import Signalling
import TestSupport
import Testing

@testable import Relay

/// Floods of messages to users: no sender harms a receiver.
@Suite(.timeLimit(.minutes(10))) struct MessageFloodTests {
  private static let body = String(repeating: "x", count: 16_384)
  /// Half of the queue of a session with one channel at most.
  private static let half = 131_072

  private static func client(_ relay: SimulatedRelay, uid: UInt32) -> SimulatedClient {
    let client = relay.client(SimulatedRelay.token(uid: uid, channel: "*"))
    _ = client.takeEvents()
    return client
  }

  @Test("a flood by many senders fills half of a queue at most", .shows("C23", "C21", "attack"))
  func many() {
    let relay = SimulatedRelay()
    let victim = Self.client(relay, uid: 1)
    relay.unread[victim.connection] = 0
    let senders = (2..<102).map { Self.client(relay, uid: $0) }
    for _ in 0..<10 { for sender in senders { sender.message(.uid(1), Self.body) } }
    #expect(victim.takeEvents().count == 7)
    let refused = senders.flatMap { $0.takeEvents() }.filter { $0 == "failed -5 waiting-message-bytes \(Self.half)" }
    #expect(refused.count == 993)
    // The relay's own messages and the client's requests still pass.
    victim.join("a", uid: 1)
    victim.send(.ping(PingRequest(id: 1)))
    #expect(victim.takeEvents() == ["joined 1 []", "pong"] && victim.closedCode == nil)
    #expect(senders.allSatisfy { $0.closedCode == nil })
  }

  @Test("a reader gets every message of a flood", .shows("C23", "attack"))
  func reader() {
    let relay = SimulatedRelay()
    let (victim, sender) = (Self.client(relay, uid: 1), Self.client(relay, uid: 2))
    for _ in 0..<250 {
      sender.message(.uid(1), Self.body)
      relay.run(100)
      for client in [victim, sender] { client.send(.ping(PingRequest(id: 1))) }
    }
    #expect(victim.takeEvents().count { $0.hasPrefix("message") } == 250 && victim.closedCode == nil)
  }

  @Test("a slow reader gets messages at its pace, and its connection stays", .shows("C23", "attack"))
  func slow() {
    let relay = SimulatedRelay()
    let (victim, sender) = (Self.client(relay, uid: 1), Self.client(relay, uid: 2))
    relay.unread[victim.connection] = 0
    for _ in 0..<250 {
      sender.message(.uid(1), Self.body)
      relay.run(100)
      relay.unread[victim.connection] = max(0, (relay.unread[victim.connection] ?? 0) - 6_554)
      for client in [victim, sender] { client.send(.ping(PingRequest(id: 1))) }
    }
    let byteCount = victim.takeEvents().filter { $0.hasPrefix("message") }.reduce(0) { $0 + $1.utf8.count }
    #expect(abs(byteCount - (Self.half + 25 * 65_536)) < 40_000, "\(byteCount)")
    #expect(victim.closedCode == nil)
  }

  @Test("a flood to the sender itself is refused, and its session stays", .shows("C23", "attack"))
  func itself() {
    let relay = SimulatedRelay()
    let client = Self.client(relay, uid: 1)
    relay.unread[client.connection] = 0
    for _ in 0..<40 { client.message(.uid(1), Self.body) }
    let events = client.takeEvents()
    #expect(events.count { $0 == "delivered 1" } == 7)
    #expect(events.count { $0.hasPrefix("failed -5 waiting-message-bytes") } == 33 && client.closedCode == nil)
  }

  @Test("a message is not delivered to a queue that is half full", .shows("C23", "C21"))
  func backlog() {
    let relay = SimulatedRelay()
    let (victim, sender) = (Self.client(relay, uid: 1), Self.client(relay, uid: 2))
    relay.core.setBacklog(Self.half - 200, of: victim.connection)
    sender.message(.uid(1), String(repeating: "x", count: 180))
    sender.message(.uid(1))
    relay.core.setBacklog(0, of: victim.connection)
    sender.message(.uid(1), "again")
    #expect(
      sender.takeEvents() == ["failed -5 waiting-message-bytes \(Self.half)", "delivered 1", "delivered 1"])
    #expect(victim.takeEvents().count == 2 && victim.closedCode == nil)
  }

  @Test("a slow session does not keep messages from the user's others", .shows("C23"))
  func others() {
    let relay = SimulatedRelay()
    let (slow, fast, sender) = (
      Self.client(relay, uid: 1), Self.client(relay, uid: 1), Self.client(relay, uid: 2)
    )
    relay.core.setBacklog(200_000, of: slow.connection)
    sender.message(.uid(1))
    #expect(sender.takeEvents() == ["delivered 1"] && fast.takeEvents().count == 1 && slow.takeEvents() == [])
  }

  @Test("a message of 16 KiB costs four times a ping of its length at most", .shows("C23", "attack"))
  func cost() throws {
    let relay = SimulatedRelay {
      $0.limits.requestsPerSecond = 10_000
      $0.limits.messagesPerSecond = 10_000
    }
    let (victim, sender) = (Self.client(relay, uid: 1), Self.client(relay, uid: 2))
    func nanoseconds(_ text: String) -> Int {
      let bytes = Array(text.utf8)
      return (0..<20).map { _ in
        relay.now += 1_000_000_000
        defer { relay.take() }
        return threadNanoseconds { relay.core.received(bytes, on: sender.connection, nowNanoseconds: relay.now) }
      }.min()!
    }
    let ping = nanoseconds(#"{"type":"ping","id":1,"x":"\#(Self.body)"}"#)
    let message = nanoseconds(#"{"type":"message","id":1,"to":{"uid":1},"body":"\#(Self.body)"}"#)
    #expect(victim.takeEvents().count == 20 && message < 4 * ping, "message \(message) ns, ping \(ping) ns")
  }

  @Test("a text that grows in JSON counts with all its bytes", .shows("C23", "attack"))
  func escapes() {
    let relay = SimulatedRelay()
    let (victim, sender) = (Self.client(relay, uid: 1), Self.client(relay, uid: 2))
    relay.unread[victim.connection] = 0
    for _ in 0..<10 { sender.message(.uid(1), String(repeating: "\u{7F}", count: 10_000)) }
    #expect(victim.takeEvents().count == 2 && victim.closedCode == nil)
  }

  @Test("random and damaged messages to users never end the relay", .shows("attack"), arguments: 1...4)
  func damaged(seed: Int) {
    let relay = SimulatedRelay(seed: UInt64(seed)) { $0.limits.requestsPerSecond = 1_000_000 }
    var generator = SeededGenerator(seed: UInt64(seed))
    let (victim, sender) = (Self.client(relay, uid: 1), Self.client(relay, uid: 2))
    let texts = [
      #"{"type":"message","id":1,"to":{"uid":1},"body":"x","from":{"uid":1}}"#,
      #"{"type":"message","id":1,"to":{"account":"ann"},"body":"\u0000"}"#,
      #"{"type":"presence","id":4294967295,"user":{"uid":1}}"#, #"{"type":"presence","id":1,"user":{"account":"1"}}"#,
      #"{"type":"hello","version":1,"id":1,"app":"open","uid":1}"#,
      #"{"type":"hello","version":1,"id":1,"app":"open","account":"ann","resume":"a.1.b"}"#,
    ]
    for _ in 0..<4_000 {
      var bytes = Array(texts.randomElement(using: &generator)!.utf8)
      for _ in 0..<Int.random(in: 0...2, using: &generator) {
        let index = bytes.indices.randomElement(using: &generator)!
        switch Int.random(in: 0..<3, using: &generator) {
        case 0: bytes[index] = .random(in: 0...255, using: &generator)
        case 1: bytes.remove(at: index)
        default: bytes.insert(contentsOf: bytes[index...].prefix(9), at: index)
        }
      }
      relay.core.received(bytes, on: sender.connection, nowNanoseconds: relay.now)
      relay.run(5)
    }
    #expect(victim.closedCode == nil && sender.closedCode == nil && relay.core.sessionCount == 2)
    #expect(victim.takeEvents().allSatisfy { $0.hasPrefix("message of uid 2: ") })
    #expect(sender.isOnline(.uid(1)) == true)
  }
}
