import RTP
import SRTP
import TestSupport
import Testing
import WebRTC

/// The test has a process of its own, so that no other test's keys are in its memory.
@Suite("Keys of DTLS connections in memory", .timeLimit(.minutes(10)))
struct DTLSWipingTests {
  /// Bytes of a key in base64, inverted, so that a search for them does not find itself.
  private static func inverted(_ base64: String) -> [UInt8] {
    var (bits, count, bytes) = (UInt32(0), 0, [UInt8]())
    for character in base64.utf8 where character != UInt8(ascii: "=") {
      let value: UInt8 =
        switch character {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): character - UInt8(ascii: "A")
        case UInt8(ascii: "a")...UInt8(ascii: "z"): character - UInt8(ascii: "a") + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0") + 52
        case UInt8(ascii: "+"): 62
        default: 63
        }
      bits = bits << 6 | UInt32(~value & 63)
      count += 6
      if count >= 8 {
        count -= 8
        bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
      }
    }
    return bytes
  }

  @Test("keys of a connection that has gone are not left in memory")
  func wiped() async {
    await #expect(processExitsWith: .success) {
      var inverted: [UInt8] = []
      func use() {
        let link = DTLSLink()
        link.run()
        guard let keys = link.client.makeKeys() else { return }
        inverted = Self.inverted(keys.outbound.base64())
        precondition(MemorySearch(inverted: inverted).occurrences() >= 1, "the search finds a key that is there")
        withExtendedLifetime(keys.inbound.suite) {}
      }
      use()
      precondition(inverted.count == 28)
      precondition(MemorySearch(inverted: inverted).occurrences() == 0, "a key is left")
    }
  }
}
