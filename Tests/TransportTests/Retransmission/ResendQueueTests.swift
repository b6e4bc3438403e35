import Testing
import Transport

@Suite struct ResendQueueTests {
  private func sent(_ numbers: ClosedRange<UInt16>, byteCount: Int = 100) -> SentPackets {
    var sent = SentPackets()
    for number in numbers {
      let packet = [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: byteCount)
      packet.withUnsafeBytes { bytes in
        _ = sent.insert(bytes, sequenceNumber: number, nowNanoseconds: Int(number) * 20_000_000)
      }
    }
    return sent
  }

  @Test("what is asked for comes once each, in the order of the request, at the rate")
  func order() {
    let sent = sent(0...20)
    // 100 bytes take 10 ms.
    var queue = ResendQueue(bitsPerSecond: 80_000)
    queue.ask(NackPair(packetID: 15, bitmask: 0b101))
    queue.ask(NackPair(packetID: 16, bitmask: 0))
    var times: [Int] = []
    var values: [UInt8] = []
    for milliseconds in 420..<480 {
      while let packet = queue.next(from: sent, nowNanoseconds: milliseconds * 1_000_000) {
        times.append(milliseconds)
        values.append(packet[0])
      }
    }
    #expect(values == [15, 16, 18] && times == [420, 430, 440])
    #expect(queue.counters.asked == 4 && queue.counters.resent == 3 && queue.counters.skipped == 1)
    #expect(queue.nextDeadlineNanoseconds == nil)
  }

  @Test("what is older than 500 ms, or was never sent, is not there, and does not hold up what is")
  func gone() {
    let sent = sent(0...40)
    var queue = ResendQueue(bitsPerSecond: 80_000)
    queue.ask(NackPair(packetID: 10, bitmask: 0))
    queue.ask(NackPair(packetID: 1_000, bitmask: 0))
    queue.ask(NackPair(packetID: 40, bitmask: 0))
    let packet = queue.next(from: sent, nowNanoseconds: 820_000_000).map { $0[0] }
    #expect(packet == 40)
    #expect(queue.counters.gone == 2 && queue.counters.resent == 1)
  }

  @Test("a flood of requests costs no more than there is room for")
  func flood() {
    let sent = sent(0...63)
    var queue = ResendQueue(bitsPerSecond: 1_000_000)
    for round in 0..<1_000 { queue.ask(NackPair(packetID: UInt16(truncatingIfNeeded: round * 17), bitmask: .max)) }
    #expect(queue.counters.asked == 17_000 && queue.counters.skipped == 17_000 - 128)
    var count = 0
    for milliseconds in 0..<1_000 {
      while queue.next(from: sent, nowNanoseconds: milliseconds * 1_000_000) != nil { count += 1 }
    }
    #expect(count == 64 && queue.counters.gone == 64)
  }
}
