import Calls
import Foundation
import MQTTSignalling
import TestSupport
import Testing

@Suite(
  "Permissions at a broker", .timeLimit(.minutes(10)),
  .enabled(if: Broker.isInstalled, "mosquitto is not installed"))
struct PermissionTests {
  @Test("a message in another user's name is refused and not delivered", .shows("K9"))
  func forgery() async throws {
    let broker = try Broker()
    let seven = try await User.opened(broker.options(7))
    let complaint = try broker.publish(as: "8", to: "audiopipe/demo/call/7/9", "-m call")
    #expect(complaint.lowercased().contains("not authorized"), "\(complaint)")
    _ = try broker.publish(as: "8", to: "audiopipe/demo/call/7/8", "-m last")
    #expect(eventually { seven.log.messages == [.init(text: "last", userID: "8")] })
  }

  @Test("open fails with the probe's sentence for a user that may not read", .shows("K9"))
  func unreadable() async throws {
    let broker = try Broker(.unreadable)
    let seven = try User(broker.options(7))
    let error = await seven.openingError()
    #expect(error?.reason == .refused)
    let sentence =
      "user 7 may not read audiopipe/demo/call/7/+ at \(broker.url): the broker grants the subscription and delivers "
      + "nothing; give the user the ACL of Deploy/mosquitto"
    #expect(error?.message == sentence)
    #expect(seven.log.hasLine(sentence, .error))
    #expect(seven.log.texts.isEmpty)
  }

  @Test("open succeeds once the ACL has been repaired", .shows("K9"))
  func repaired() async throws {
    let broker = try Broker(.unreadable)
    let seven = try User(broker.options(7))
    #expect(await seven.openingError()?.reason == .refused)
    try broker.write("acl", String(contentsOf: Broker.deploy.appendingPathComponent("acl"), encoding: .utf8))
    broker.kill()
    try broker.start()
    #expect(await seven.openingError() == nil)
  }

  @Test("open and messages fail as not authorized for a user that may not write", .shows("K9"))
  func unwritable() async throws {
    let broker = try Broker(.unwritable)
    let seven = try User(broker.options(7))
    let error = await seven.openingError()
    #expect(error?.reason == .refused)
    #expect(error?.code == 135)
    #expect(error?.message.contains("not authorized; give the user the ACL of Deploy/mosquitto") == true)
    seven.send("call", to: "8")
    #expect(eventually { seven.log.resultCount == 1 })
    #expect(seven.log.errors.first??.reason == .refused)
    #expect(seven.log.errors.first??.code == 135)
    #expect(seven.log.errors.first??.message.contains("not authorized") == true)
  }

  @Test("open fails with the broker's word for a wrong password", .shows("K9"))
  func password() async throws {
    let broker = try Broker()
    let seven = try User(broker.options(7, password: "wrong-word"))
    let error = await seven.openingError()
    #expect(error?.reason == .refused)
    #expect(error?.code == 135)
    #expect(error?.message.contains("not authorized") == true)
    #expect(seven.log.lines.allSatisfy { !$0.contains("wrong-word") })
  }

  @Test("TLS with the broker's root connects", .shows("K9"))
  func rightRoots() async throws {
    let broker = try Broker(tls: true)
    let (seven, eight) = (try await User.opened(broker.options(7)), try await User.opened(broker.options(8)))
    for number in 0..<40 { seven.send("\(number) " + String(repeating: "x", count: 8_000), to: "8") }
    #expect(eventually { eight.log.texts.count == 40 })
  }

  @Test("TLS with other roots is refused, with the reason", .shows("K9"))
  func otherRoots() async throws {
    let broker = try Broker(tls: true)
    for verification in [MQTTVerification.roots(file: broker.path("other.pem")), .systemRoots] {
      let seven = try User(broker.options(7, verification: verification))
      let error = await seven.openingError()
      #expect(error?.reason == .refused)
      #expect(error?.message.contains("certificate verify failed") == true, "\(error?.message ?? "")")
    }
  }

  @Test("TLS to a broker without it fails with the reason", .shows("K9"))
  func noTLS() async throws {
    let (broker, other) = (try Broker(), try Broker(tls: true))
    let options = try MQTTSignalOptions(
      broker: "mqtts://localhost:\(broker.port)", appID: "demo", userID: 7, password: "secret-7",
      verification: .roots(file: other.path("server.pem")))
    let seven = try User(options)
    #expect(await seven.openingError(timeout: .seconds(2)) != nil)
    #expect(!seven.log.lines.isEmpty)
  }

  @Test("the shipped configuration starts, and carries a call over TLS", .shows("K9"))
  func shipped() async throws {
    let text = try String(contentsOf: Broker.deploy.appendingPathComponent("mosquitto.conf"), encoding: .utf8)
    let broker = try Broker(tls: true, configuration: text)
    let (seven, eight) = (try await User.opened(broker.options(7)), try await User.opened(broker.options(8)))
    let longest = String(repeating: "x", count: 16_384)
    seven.send(longest, to: "8")
    #expect(eventually { eight.log.texts == [longest] })
  }
}
