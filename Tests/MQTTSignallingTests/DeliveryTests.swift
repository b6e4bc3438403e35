import Calls
import MQTTSignalling
import TestSupport
import Testing

@Suite(
  "Messages over MQTT", .timeLimit(.minutes(10)), .enabled(if: Broker.isInstalled, "mosquitto is not installed"))
struct DeliveryTests {
  @Test("a message reaches the other user with the sender of its topic", .shows("K9"))
  func bothWays() async throws {
    let broker = try Broker()
    let (seven, eight) = (try await User.opened(broker.options(7)), try await User.opened(broker.options(8)))
    seven.send("call", to: "8")
    #expect(eventually { eight.log.messages == [.init(text: "call", userID: "7")] })
    eight.send("accept \u{1F600}", to: "7")
    #expect(eventually { seven.log.messages == [.init(text: "accept \u{1F600}", userID: "8")] })
    #expect(eventually { seven.log.errors == [nil] && eight.log.errors == [nil] })
    #expect(seven.log.hasLine("connected, subscribed and probed", .normal))
  }

  @Test("each session of a user receives a message", .shows("K9"))
  func sessions() async throws {
    let broker = try Broker()
    var receivers: [User] = []
    for _ in 0..<3 { receivers.append(try await User.opened(broker.options(8))) }
    let seven = try await User.opened(broker.options(7))
    seven.send("call", to: "8")
    for receiver in receivers { #expect(eventually { receiver.log.texts == ["call"] }) }
  }

  @Test("users of another app receive nothing", .shows("K9"))
  func apps() async throws {
    let broker = try Broker()
    let (seven, eight) = (try await User.opened(broker.options(7)), try await User.opened(broker.options(8)))
    let other = try await User.opened(broker.options(8, appID: "other"))
    seven.send("call", to: "8")
    #expect(eventually { eight.log.texts == ["call"] })
    #expect(other.log.texts.isEmpty)
  }

  @Test("a message to a user without a session fails with noSuchUser", .shows("K9"))
  func noSession() async throws {
    let broker = try Broker()
    let seven = try await User.opened(broker.options(7))
    seven.send("call", to: "8")
    #expect(eventually { seven.log.resultCount == 1 })
    #expect(seven.log.errors.first??.reason == .noSuchUser)
    #expect(seven.log.errors.first??.code == 16)
  }

  @Test("a message of 16 KiB is delivered, and a longer one is refused", .shows("K9"))
  func longest() async throws {
    let broker = try Broker()
    let (seven, eight) = (try await User.opened(broker.options(7)), try await User.opened(broker.options(8)))
    let text = String(repeating: "é", count: 8_192)
    seven.send(text + "x", to: "8")
    #expect(eventually { seven.log.resultCount == 1 })
    #expect(seven.log.errors.first??.reason == .refused)
    seven.send(text, to: "8")
    #expect(eventually { eight.log.texts == [text] })
  }

  @Test(
    "a receiver that is not a decimal uid is refused", .shows("K9"),
    arguments: ["", "0", "07", "+", "8/9", "#", "4294967296", "-1", "八", "8 "])
  func receivers(userID: String) async throws {
    let broker = try Broker()
    let seven = try await User.opened(broker.options(7))
    seven.send("call", to: userID)
    #expect(eventually { seven.log.resultCount == 1 })
    #expect(seven.log.errors.first??.reason == .refused)
  }

  @Test("300 messages at once arrive or are refused, each with one completion", .shows("K9"))
  func burst() async throws {
    let broker = try Broker()
    let (seven, eight) = (try await User.opened(broker.options(7)), try await User.opened(broker.options(8)))
    for number in 0..<300 { seven.send("\(number)", to: "8") }
    #expect(eventually { seven.log.resultCount == 300 })
    let sent = seven.log.errors.count { $0 == nil }
    #expect(sent >= 256, "\(sent)")
    #expect(seven.log.errors.allSatisfy { $0 == nil || $0?.reason == .limited })
    #expect(eventually { eight.log.texts.count == sent })
    // A queue that has drained has room again.
    seven.send("last", to: "8")
    #expect(eventually { eight.log.texts.last == "last" })
  }

  @Test("a listener is not retained, is added once and can be removed", .shows("K9"))
  func listeners() async throws {
    let broker = try Broker()
    let (seven, eight) = (try await User.opened(broker.options(7)), try await User.opened(broker.options(8)))
    var lent: SignalLog? = SignalLog()
    weak let weakly = lent
    if let lent { eight.client.addListener(lent) }
    lent = nil
    #expect(weakly == nil)
    eight.client.addListener(eight.log)
    let removed = SignalLog()
    eight.client.addListener(removed)
    eight.client.removeListener(removed)
    seven.send("call", to: "8")
    seven.send("last", to: "8")
    #expect(eventually { eight.log.texts == ["call", "last"] })
    #expect(removed.texts.isEmpty)
  }
}
