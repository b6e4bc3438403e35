import Calls
import MQTTSignalling
import TestSupport
import Testing

@Suite(
  "Brokers that go and come back", .timeLimit(.minutes(10)),
  .enabled(if: Broker.isInstalled, "mosquitto is not installed"))
struct ReconnectionTests {
  @Test("clients return to a restarted broker by themselves", .shows("K9"))
  func restart() async throws {
    let broker = try Broker()
    let (seven, eight) = (try await User.opened(broker.options(7)), try await User.opened(broker.options(8)))
    for round in 1...2 {
      broker.kill()
      #expect(eventually { seven.log.lines.count { $0.hasPrefix("connection to") } == round })
      try broker.start()
      try await seven.client.open(timeout: .seconds(20))
      #expect(eventually { eight.log.lines.count { $0.contains("probed") } == round + 1 })
      seven.send("\(round)", to: "8")
      #expect(eventually { eight.log.texts.last == "\(round)" })
    }
  }

  @Test("a removed user is refused, and returns when it is back", .shows("K9"))
  func removedUser() async throws {
    let broker = try Broker()
    let seven = try await User.opened(broker.options(7))
    try broker.setUsers(["8"])
    #expect(eventually { seven.log.hasLine("connection to", .warning) })
    #expect(await seven.openingError()?.code == 135)
    try broker.setUsers(Broker.users)
    #expect(eventually { seven.log.lines.count { $0.contains("probed") } == 2 })
    seven.send("call", to: "7")
    #expect(eventually { seven.log.texts == ["call"] })
  }

  @Test("a connection ended by the broker is logged with its word, and replaced", .shows("K9"))
  func brokersWord() throws {
    let broker = try ScriptedBroker()
    let seven = try User(MQTTSignalOptions(broker: "mqtt://127.0.0.1:\(broker.port)", appID: "demo", userID: 7))
    // CONNACK without a fault, and DISCONNECT with code 142.
    for _ in 0..<2 { try broker.answer([0x20, 3, 0, 0, 0, 0xE0, 1, 142]) }
    #expect(
      eventually { seven.log.lines.count { $0.contains("the broker ends it: session taken over") } == 2 },
      "\(seven.log.lines)")
    // CONNACK with a maximum of 64 bytes per packet.
    try broker.answer([0x20, 8, 0, 0, 5, 0x27, 0, 0, 0, 64])
    seven.send(String(repeating: "x", count: 100), to: "8")
    #expect(eventually { seven.log.resultCount == 1 })
    #expect(seven.log.errors.first??.reason == .refused)
  }

  @Test("a message of a short absence is delivered", .shows("K9"))
  func shortAbsence() async throws {
    let broker = try Broker()
    let seven = try await User.opened(broker.options(7))
    broker.kill()
    #expect(eventually { seven.log.hasLine("connection to", .warning) })
    seven.send("call", to: "7")
    try broker.start()
    #expect(eventually { seven.log.texts == ["call"] })
    #expect(eventually { seven.log.errors == [nil] })
  }

  @Test("a message of a long absence fails with notConnected after 5 s", .shows("K9"))
  func longAbsence() async throws {
    let broker = try Broker()
    let (seven, eight) = (try await User.opened(broker.options(7)), try await User.opened(broker.options(8)))
    broker.kill()
    #expect(eventually { seven.log.hasLine("connection to", .warning) })
    let start = ContinuousClock.now
    seven.send("short", to: "8", expiry: .seconds(1))
    seven.send("call", to: "8")
    #expect(eventually { seven.log.resultCount == 1 })
    #expect(ContinuousClock.now - start > .milliseconds(900))
    #expect(eventually { seven.log.resultCount == 2 })
    #expect(ContinuousClock.now - start > .milliseconds(4_900))
    #expect(seven.log.errors.allSatisfy { $0?.reason == .notConnected })
    try broker.start()
    try await eight.client.open(timeout: .seconds(20))
    try await seven.client.open(timeout: .seconds(20))
    seven.send("last", to: "8")
    #expect(eventually { eight.log.texts == ["last"] })
  }

  @Test("a message without an answer fails once, and is not published again", .shows("K9"))
  func noAnswer() async throws {
    let broker = try Broker()
    let seven = try await User.opened(broker.options(7))
    try broker.halt()
    let start = ContinuousClock.now
    seven.send("call", to: "7")
    #expect(eventually { seven.log.resultCount == 1 })
    #expect(ContinuousClock.now - start < .seconds(10))
    #expect(seven.log.errors.first??.reason == .unknown)
    broker.kill()
    try broker.start()
    try await seven.client.open(timeout: .seconds(20))
    seven.send("last", to: "7")
    #expect(eventually { seven.log.texts == ["last"] })
    #expect(seven.log.resultCount == 2)
  }

  @Test("a message in flight at the loss of the connection fails at once", .shows("K9"))
  func lossInFlight() async throws {
    let broker = try Broker()
    let seven = try await User.opened(broker.options(7))
    try broker.halt()
    let start = ContinuousClock.now
    seven.send("call", to: "7")
    // A refusal comes within a turn of the client's loop, and the second one in a turn behind the publishing.
    let refusals = SignalLog()
    seven.client.sendMessage("", to: "nobody", expiry: .seconds(9)) { [client = seven.client] result in
      refusals.completion(result)
      client.sendMessage("", to: "nobody", expiry: .seconds(9), completion: refusals.completion)
    }
    #expect(eventually { refusals.resultCount == 2 })
    #expect(seven.log.resultCount == 0)
    broker.kill()
    #expect(eventually { seven.log.resultCount == 1 })
    #expect(ContinuousClock.now - start < .seconds(5))
    #expect(seven.log.errors.first??.reason == .unknown)
  }

  @Test("a session receives nothing from before its start", .shows("K9"))
  func past() async throws {
    let broker = try Broker()
    let seven = try await User.opened(broker.options(7))
    let eight = try await User.opened(broker.options(8))
    eight.client.stop()
    #expect(
      eventually {
        seven.send("call", to: "8", expiry: .seconds(1))
        return seven.log.errors.last??.reason == .noSuchUser
      })
    try eight.client.start()
    try await eight.client.open(timeout: .seconds(20))
    let count = eight.log.texts.count
    seven.send("last", to: "8")
    #expect(eventually { eight.log.texts.last == "last" })
    #expect(eight.log.texts.count == count + 1)
  }
}
