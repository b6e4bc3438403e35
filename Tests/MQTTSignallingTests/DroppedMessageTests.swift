import Calls
import Foundation
import MQTTSignalling
import TestSupport
import Testing

@Suite(
  "Messages that are dropped", .timeLimit(.minutes(10)),
  .enabled(if: Broker.isInstalled, "mosquitto is not installed"))
struct DroppedMessageTests {
  /// Publishes by mosquitto_pub beside messages that are right, and expects only these.
  private func expectDrop(
    as name: String = "8", to topic: String, _ options: String, line: String,
    prepare: (Broker) throws -> Void = { _ in }
  ) async throws {
    let broker = try Broker()
    try prepare(broker)
    let seven = try await User.opened(broker.options(7))
    _ = try broker.publish(as: name, to: topic, options)
    #expect(eventually { seven.log.hasLine(line, .warning) }, "\(seven.log.lines)")
    _ = try broker.publish(as: "8", to: "audiopipe/demo/call/7/8", "-m last")
    #expect(eventually { seven.log.messages == [.init(text: "last", userID: "8")] })
  }

  @Test("a retained message is dropped", .shows("K9"))
  func retained() async throws {
    try await expectDrop(to: "audiopipe/demo/call/7/8", "-r -m call", line: "it is retained")
  }

  @Test("a retained message from before the connection does not come", .shows("K9"))
  func earlierRetained() async throws {
    let broker = try Broker()
    _ = try broker.publish(as: "8", to: "audiopipe/demo/call/7/8", "-r -m call")
    let seven = try await User.opened(broker.options(7))
    _ = try broker.publish(as: "8", to: "audiopipe/demo/call/7/8", "-m last")
    #expect(eventually { seven.log.texts == ["last"] })
  }

  @Test("a message of a sender without a decimal uid is dropped", .shows("K9"))
  func sender() async throws {
    try await expectDrop(as: "bob", to: "audiopipe/demo/call/7/bob", "-m call", line: "is not a decimal uid")
  }

  @Test("a message of 17 KB is dropped", .shows("K9"))
  func tooLong() async throws {
    try await expectDrop(to: "audiopipe/demo/call/7/8", "-f long", line: "17000 bytes") {
      try $0.write("long", String(repeating: "x", count: 17_000))
    }
  }

  @Test("a message that is not UTF-8 is dropped", .shows("K9"))
  func encoding() async throws {
    try await expectDrop(to: "audiopipe/demo/call/7/8", "-f bytes", line: "not UTF-8") {
      try Data([0x63, 0xC3, 0x28, 0xFF]).write(to: $0.folder.appendingPathComponent("bytes"))
    }
  }

  @Test("a probe of another session is not given to listeners", .shows("K9"))
  func foreignProbe() async throws {
    let broker = try Broker()
    let first = try await User.opened(broker.options(7))
    _ = try await User.opened(broker.options(7))
    _ = try broker.publish(as: "7", to: "audiopipe/demo/call/7/7", "-m last")
    #expect(eventually { first.log.texts == ["last"] })
  }
}
