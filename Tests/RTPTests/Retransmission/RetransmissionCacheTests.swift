import RTP
import Testing

@Suite(.timeLimit(.minutes(10))) struct RetransmissionCacheTests {
  private func packet(_ number: Int) -> [UInt8] {
    (0..<(20 + number % 7)).map { UInt8(truncatingIfNeeded: number + $0) }
  }

  @Test("packets of the last 500 ms are returned as sent, others are not")
  func history() {
    var sent = RetransmissionCache()
    for number in 65_500..<65_600 {
      _ = packet(number).withUnsafeBytes {
        sent.insert(
          $0, sequenceNumber: UInt16(truncatingIfNeeded: number), nowNanoseconds: (number - 65_500) * 10_000_000)
      }
    }
    let now = 99 * 10_000_000
    for number in 65_500..<65_610 {
      let found = sent.packet(UInt16(truncatingIfNeeded: number), nowNanoseconds: now).map(Array.init)
      #expect(found == ((65_549..<65_600).contains(number) ? packet(number) : nil), "packet \(number)")
    }
  }

  @Test("a small cache keeps the newest packets")
  func capacity() {
    var sent = RetransmissionCache(capacity: 5)
    for number in 0..<20 {
      _ = packet(number).withUnsafeBytes { sent.insert($0, sequenceNumber: UInt16(number), nowNanoseconds: 0) }
    }
    // Rounded up to eight.
    for number in 0..<20 {
      let found = sent.packet(UInt16(number), nowNanoseconds: 0).map(Array.init)
      #expect(found == (number >= 12 ? packet(number) : nil))
    }
  }

  @Test("empty packets and those that are too long are not kept")
  func size() {
    var sent = RetransmissionCache(maximumByteCount: 22)
    for (count, expected) in [(0, false), (1, true), (22, true), (23, false)] {
      let isKept = [UInt8](repeating: 1, count: count).withUnsafeBytes {
        sent.insert($0, sequenceNumber: UInt16(count), nowNanoseconds: 0)
      }
      #expect(isKept == expected)
    }
    let missing = sent.packet(0, nowNanoseconds: 0)
    #expect(missing == nil)
  }
}
