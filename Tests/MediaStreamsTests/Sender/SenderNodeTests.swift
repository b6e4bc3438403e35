import TestSupport
import Testing

@testable import MediaStreams

@Suite(.timeLimit(.minutes(10))) struct SenderNodeTests {
  @Test("a node keeps the counters of a sender that is gone")
  func counters() throws {
    var sender: PacketSender? = try PacketSender()
    let node = try #require(sender?.node)
    weak let counters = sender?.counters
    sender = nil
    #expect(counters != nil)
    withExtendedLifetime(node) {}
  }
}
