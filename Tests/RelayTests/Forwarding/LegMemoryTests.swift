import TestSupport
import Testing

@testable import Relay
@testable import SRTP

@Suite(.timeLimit(.minutes(10))) struct LegMemoryTests {
  @Test("packets of a publisher to a listener take 1 KiB at most", .shows("relay"))
  func memory() throws {
    let relay = SimulatedRelay()
    let clients = ForwardingTests.clients(2, relay)
    for _ in 0..<50 {
      clients[0].media["lobby"]?.sendPacket(1)
      relay.run(20)
    }
    let leg = try #require(relay.core.channels.values.first?.members[2]?.legs[1])
    // Blocks of malloc have 8 bytes more. The numbers of kept packets and both windows have a block each.
    let objects = blockByteCount(leg) + blockByteCount(SourceState(1, packetWindow: 1_024)) + 16
    let memory = (1_024 / 8 + 8) + (128 / 8 + 8) + (ForwardingLeg.keptByteCount + 8)
    // An entry in each of three dictionaries, with its share of the free ones.
    #expect(objects + memory + 3 * 40 <= 1_024)
    #expect(ForwardingLeg.keptByteCount == 256 && objects > 200)
  }

  private func blockByteCount(_ object: AnyObject) -> Int {
    usableByteCount(Unmanaged.passUnretained(object).toOpaque())
  }
}

/// glibc's `malloc_usable_size`, which Swift's module of it leaves out.
@_silgen_name("malloc_usable_size")
private func usableByteCount(_ block: UnsafeMutableRawPointer) -> Int
