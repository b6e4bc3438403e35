import Glibc
import RTP
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

  /// Returns how often eight bytes of the key are in this process's writable memory.
  private static func occurrences(_ inverted: [UInt8]) -> Int {
    let maps = open("/proc/self/maps", O_RDONLY)
    let memory = open("/proc/self/mem", O_RDONLY)
    defer {
      close(maps)
      close(memory)
    }
    var text: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while case let count = read(maps, &chunk, chunk.count), count > 0 { text += chunk[..<count] }
    var found = 0
    for line in String(decoding: text, as: UTF8.self).split(separator: "\n") where line.contains(" rw") {
      let bounds = line.split(separator: " ")[0].split(separator: "-").compactMap { Int($0, radix: 16) }
      for position in stride(from: bounds[0], to: bounds[1], by: chunk.count - 8) {
        let count = pread(memory, &chunk, min(chunk.count, bounds[1] - position), position)
        guard count >= 8 else { continue }
        found += chunk[..<count].withUnsafeBytes { runs(of: inverted, in: $0) }
      }
    }
    return found
  }

  private static func runs(of inverted: [UInt8], in memory: UnsafeRawBufferPointer) -> Int {
    var (found, position) = (0, 0)
    while let hit = memchr(memory.baseAddress! + position, Int32(~inverted[0]), memory.count - position) {
      position = UnsafeRawPointer(hit) - memory.baseAddress! + 1
      guard position + 7 <= memory.count else { break }
      if (1..<8).allSatisfy({ memory[position - 1 + $0] == ~inverted[$0] }) { found += 1 }
    }
    return found
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
        precondition(Self.occurrences(inverted) >= 1, "the search finds a key that is there")
        withExtendedLifetime(keys.inbound.suite) {}
      }
      use()
      precondition(inverted.count == 28)
      precondition(Self.occurrences(inverted) == 0, "a key is left")
    }
  }
}
