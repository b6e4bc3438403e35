import Signalling
import TestSupport
import Testing

@testable import Relay

/// Messages between users of an app, and questions whether a user is online.
@Suite(.timeLimit(.minutes(10))) struct UserMessageTests {
  private static let ann = UserIdentity.account(UserAccount("ann")!)

  /// A client of a user, without a channel.
  private static func client(_ relay: SimulatedRelay, uid: UInt32) -> SimulatedClient {
    let client = relay.client(SimulatedRelay.token(uid: uid, channel: "*"))
    _ = client.takeEvents()
    return client
  }

  @Test("a message reaches every connected session of its user", .shows("C23"))
  func all() {
    let relay = SimulatedRelay()
    let (one, two, also) = (Self.client(relay, uid: 1), Self.client(relay, uid: 2), Self.client(relay, uid: 2))
    let ann = relay.client(SimulatedRelay.token(account: "ann"))
    _ = ann.takeEvents()
    one.message(.uid(2))
    one.message(Self.ann, "hi")
    ann.message(.uid(1), "yes?")
    #expect(two.takeEvents() == ["message of uid 1: hello"] && also.takeEvents() == ["message of uid 1: hello"])
    #expect(ann.takeEvents() == ["message of uid 1: hi", "delivered 1"])
    #expect(one.takeEvents() == ["delivered 2", "delivered 1", "message of account 'ann': yes?"])
    #expect(relay.core.counters.deliveredMessages == 4)
  }

  @Test("the answer follows the message, which its own sender may get", .shows("C23"))
  func itself() {
    let relay = SimulatedRelay()
    let client = Self.client(relay, uid: 1)
    client.message(.uid(1))
    #expect(client.takeEvents() == ["message of uid 1: hello", "delivered 1"])
  }

  @Test("messages of a sender arrive in their order", .shows("C23"))
  func order() {
    let relay = SimulatedRelay()
    let (one, two) = (Self.client(relay, uid: 1), Self.client(relay, uid: 2))
    for number in 0..<40 { one.message(.uid(2), "\(number)") }
    #expect(two.takeEvents() == (0..<40).map { "message of uid 1: \($0)" })
  }

  @Test("users of another app do not exist", .shows("C23", "C16"))
  func apps() {
    let relay = SimulatedRelay()
    let one = Self.client(relay, uid: 1)
    let other = relay.client(SimulatedRelay.token(uid: 2, app: SimulatedRelay.otherApp, secret: 2))
    _ = other.takeEvents()
    one.message(.uid(2))
    #expect(one.isOnline(.uid(2)) == false && other.isOnline(.uid(2)) == true)
    #expect(one.takeEvents() == ["noSuchUser"] && other.takeEvents() == [])
  }

  @Test("an account is not reached by its uid", .shows("C23", "C14"))
  func derived() throws {
    let relay = SimulatedRelay()
    let one = Self.client(relay, uid: 1)
    let ann = relay.client(SimulatedRelay.token(account: "ann"))
    let uid = try #require(ann.welcome?.uid)
    ann.join(account: "ann")
    one.message(.uid(uid))
    #expect(one.takeEvents() == ["noSuchUser"] && one.isOnline(.uid(uid)) == false && one.isOnline(Self.ann) == true)
  }

  @Test("a session that waits for its connection is offline", .shows("C23"))
  func waiting() {
    let relay = SimulatedRelay()
    let (one, two) = (Self.client(relay, uid: 1), Self.client(relay, uid: 2))
    two.join("a", uid: 2)
    relay.close(two.connection)
    one.message(.uid(2))
    #expect(one.takeEvents() == ["noSuchUser"] && one.isOnline(.uid(2)) == false)
    _ = two.takeEvents()
    two.reconnect()
    two.hello(SimulatedRelay.token(uid: 2, channel: "*"), resume: two.resume)
    one.message(.uid(2))
    #expect(two.takeEvents() == ["welcome resumed", "message of uid 1: hello"] && one.isOnline(.uid(2)) == true)
  }

  @Test("a session without a user sends nothing, and hears the remedy", .shows("C23"))
  func nobody() {
    let relay = SimulatedRelay()
    let one = Self.client(relay, uid: 1)
    let client = relay.client(SimulatedRelay.token())
    client.message(.uid(1))
    guard case .failed(let report)? = client.messages.last?.message else {
      Issue.record("no refusal")
      return
    }
    #expect(report.code == .user && report.reason == nil && report.sentence.contains("begin it with a token"))
    #expect(one.takeEvents() == [] && client.isOnline(.uid(1)) == true)
  }

  @Test("the sender is the session's user, whatever the message says", .shows("C23", "attack"))
  func forged() {
    let relay = SimulatedRelay()
    let (one, two) = (Self.client(relay, uid: 1), Self.client(relay, uid: 2))
    relay.send(
      text: #"{"type":"message","id":1,"to":{"uid":2,"x":1},"body":"b","from":{"uid":9},"uid":9}"#,
      on: one.connection)
    #expect(two.takeEvents() == ["message of uid 1: b"] && one.takeEvents() == ["delivered 1"])
  }

  @Test("an ended session neither sends nor gets a message", .shows("C23", "C12"))
  func ended() {
    let relay = SimulatedRelay()
    let one = Self.client(relay, uid: 1)
    let two = relay.client(SimulatedRelay.token(uid: 2, seconds: 5))
    relay.run(6_000)
    _ = two.takeEvents()
    two.message(.uid(1))
    one.message(.uid(2))
    #expect(two.isOnline(.uid(1)) == nil && one.isOnline(.uid(2)) == false)
    #expect(two.takeEvents() == ["failed -109", "failed -109"] && one.takeEvents() == ["noSuchUser"])
    two.renew(SimulatedRelay.token(uid: 2))
    one.message(.uid(2))
    #expect(two.takeEvents() == ["tokenRenewed", "message of uid 1: hello"])
  }

  @Test("messages pass during a drain", .shows("C23"))
  func drain() {
    let relay = SimulatedRelay { $0.alternativeRelays = ["wss://b"] }
    let (one, two) = (Self.client(relay, uid: 1), Self.client(relay, uid: 2))
    relay.core.drain(nowNanoseconds: relay.now)
    one.message(.uid(2))
    #expect(two.takeEvents() == ["moveTo wss://b 60000", "message of uid 1: hello"])
  }

  @Test("messages and questions beyond 50 in a second are refused by name", .shows("C21", "C23"))
  func rate() {
    let relay = SimulatedRelay()
    let (one, two) = (Self.client(relay, uid: 1), Self.client(relay, uid: 2))
    for _ in 0..<25 {
      one.message(.uid(2))
      #expect(one.isOnline(.uid(2)) == true)
    }
    _ = one.takeEvents()
    one.message(.uid(2))
    #expect(one.isOnline(.uid(2)) == nil)
    #expect(one.takeEvents() == Array(repeating: "failed -5 messages-per-second 50", count: 2))
    relay.run(100)
    for _ in 0..<6 { one.message(.uid(2)) }
    #expect(one.takeEvents() == Array(repeating: "delivered 1", count: 5) + ["failed -5 messages-per-second 50"])
    #expect(two.takeEvents().count == 30 && one.closedCode == nil)
  }

  @Test("the welcome names the limit of messages with its setting", .shows("C21", "C23"))
  func named() {
    let relay = SimulatedRelay { $0.limits.messagesPerSecond = 9 }
    let limits = relay.client(SimulatedRelay.token()).welcome?.limits
    let expected = NamedLimit(name: "messages-per-second", value: 9, setting: "--max-messages-per-second")
    #expect(limits?.contains(expected) == true)
  }

  @Test("a message counts once for each session that it reaches", .shows("C21", "attack"))
  func copies() {
    let relay = SimulatedRelay { $0.limits.messagesPerSecond = 10 }
    let one = Self.client(relay, uid: 1)
    let others = (0..<30).map { _ in Self.client(relay, uid: 2) }
    one.message(.uid(2))
    one.message(.uid(2))
    #expect(one.takeEvents() == ["delivered 30", "failed -5 messages-per-second 10"])
    #expect(others.allSatisfy { $0.takeEvents().count == 1 })
    relay.run(2_200)
    one.message(.uid(2))
    #expect(one.takeEvents() == ["delivered 30"])
  }

  @Test("a body of 16 KiB passes, unless it grows beyond a message", .shows("C23", "attack"))
  func long() {
    let relay = SimulatedRelay()
    let (one, two) = (Self.client(relay, uid: 1), Self.client(relay, uid: 2))
    one.message(.uid(2), String(repeating: "\"", count: 16_384))
    one.message(.uid(2), String(repeating: "x", count: 16_385))
    #expect(two.takeEvents().count == 1)
    // One byte here, six in the message that the receiver would get.
    let body = String(repeating: "\u{7F}", count: 16_384)
    relay.send(text: #"{"type":"message","id":9,"to":{"uid":2},"body":"\#(body)"}"#, on: one.connection)
    #expect(one.takeEvents() == ["delivered 1", "failed -2", "failed -2"] && two.takeEvents() == [])
  }

  private static func token(of user: UserIdentity, _ app: AppID, _ secret: UInt8) -> String {
    switch user {
    case .uid(let uid): SimulatedRelay.token(uid: uid, app: app, secret: secret, seconds: 7_200)
    case .account(let account):
      SimulatedRelay.token(account: account.text, app: app, secret: secret, seconds: 7_200)
    }
  }

  @Test("random sessions get the messages that a naive list expects", .shows("C23", "attack"), arguments: 1...4)
  func random(seed: Int) {
    let relay = SimulatedRelay(seed: UInt64(seed)) { $0.limits.messagesPerSecond = 100_000 }
    var generator = SeededGenerator(seed: UInt64(seed))
    let users: [UserIdentity] = [.uid(1), .uid(2), Self.ann, .account(UserAccount("1")!)]
    var list: [(client: SimulatedClient, app: AppID, user: UserIdentity, isConnected: Bool)] = []
    for step in 0..<600 {
      relay.run(500)
      if step.isMultiple(of: 40) {
        for entry in list where entry.isConnected { entry.client.send(.ping(PingRequest(id: 1))) }
      }
      let user = users.randomElement(using: &generator)!
      let index = list.indices.randomElement(using: &generator)
      switch (Int.random(in: 0..<6, using: &generator), index) {
      case (0, _), (_, nil):
        let (app, secret) = [(SimulatedRelay.app, 1), (SimulatedRelay.otherApp, 2)].randomElement(using: &generator)!
        let client = relay.client()
        client.hello(Self.token(of: user, app, UInt8(secret)))
        list.append((client, app, user, true))
      case (1, let index?) where list[index].isConnected:
        relay.close(list[index].client.connection)
        list[index].isConnected = false
      case (2, let index?) where !list[index].isConnected:
        let entry = list[index]
        entry.client.reconnect()
        let secret: UInt8 = entry.app == SimulatedRelay.app ? 1 : 2
        entry.client.hello(Self.token(of: user, entry.app, secret), resume: entry.client.resume)
        (list[index].user, list[index].isConnected) = (user, true)
      case (_, let index?) where list[index].isConnected:
        let sender = list[index]
        for entry in list { _ = entry.client.takeEvents() }
        sender.client.message(user, "\(step)")
        let reached = list.filter { $0.isConnected && $0.app == sender.app && $0.user == user }
        #expect(sender.client.takeEvents().last == (reached.isEmpty ? "noSuchUser" : "delivered \(reached.count)"))
        #expect(sender.client.isOnline(user) == !reached.isEmpty)
        for entry in list where entry.client !== sender.client {
          let expected = reached.contains { $0.client === entry.client } ? ["message of \(sender.user): \(step)"] : []
          #expect(entry.client.takeEvents() == expected, "seed \(seed), step \(step)")
        }
      default: break
      }
    }
    for entry in list where entry.isConnected { relay.close(entry.client.connection) }
    #expect(relay.core.sessionCount == 0 && relay.core.sessions.identities.userCount == 0)
  }
}
