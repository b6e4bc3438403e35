import RTP
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct RetransmissionQueueTests {
  private func sent(_ numbers: ClosedRange<UInt16>, byteCount: Int = 100) -> RetransmissionCache {
    var sent = RetransmissionCache()
    for number in numbers {
      let packet = [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: byteCount)
      packet.withUnsafeBytes { bytes in
        _ = sent.insert(bytes, sequenceNumber: number, nowNanoseconds: Int(number) * 20_000_000)
      }
    }
    return sent
  }

  @Test("requested packets leave once each, in order, at the rate", .shows("simulate: NACK"))
  func order() {
    let sent = sent(0...20)
    // 100 bytes take 10 ms.
    var queue = RetransmissionQueue(bitsPerSecond: 80_000)
    queue.ask(NackPair(packetID: 15, bitmask: 0b101), nowNanoseconds: 420_000_000)
    queue.ask(NackPair(packetID: 16, bitmask: 0), nowNanoseconds: 420_000_000)
    var times: [Int] = []
    var values: [UInt8] = []
    for milliseconds in 420..<480 {
      while let packet = queue.next(from: sent, nowNanoseconds: milliseconds * 1_000_000) {
        times.append(milliseconds)
        values.append(packet[0])
      }
    }
    #expect(values == [15, 16, 18] && times == [420, 430, 440])
    #expect(queue.counters.requested == 3 && queue.counters.copies == 1 && queue.counters.retransmitted == 3)
  }

  @Test("packets that are not in the cache do not delay the others")
  func gone() {
    let sent = sent(0...40)
    var queue = RetransmissionQueue(bitsPerSecond: 80_000)
    queue.ask(NackPair(packetID: 10, bitmask: 0), nowNanoseconds: 820_000_000)
    queue.ask(NackPair(packetID: 1_000, bitmask: 0), nowNanoseconds: 820_000_000)
    queue.ask(NackPair(packetID: 40, bitmask: 0), nowNanoseconds: 820_000_000)
    let packet = queue.next(from: sent, nowNanoseconds: 820_000_000).map { $0[0] }
    #expect(packet == 40)
    #expect(queue.counters.gone == 2 && queue.counters.retransmitted == 1)
  }

  @Test(
    "a request repeated within a round trip is answered once",
    .shows("simulate: NACK"))
  func copies() {
    let sent = sent(0...20)
    var queue = RetransmissionQueue(bitsPerSecond: 1_000_000_000)
    var answers: [Int] = []
    // The first, a copy of it, the next one after a round trip, and a copy of that.
    for milliseconds in [420, 439, 520, 619] {
      let now = milliseconds * 1_000_000
      queue.ask(NackPair(packetID: 18, bitmask: 0), nowNanoseconds: now, roundTripNanoseconds: 100_000_000)
      while let _ = queue.next(from: sent, nowNanoseconds: now) { answers.append(milliseconds) }
    }
    #expect(answers == [420, 520])
    #expect(queue.counters.requested == 2 && queue.counters.copies == 2 && queue.counters.retransmitted == 2)
    // Another packet with the same lower bits is another one.
    queue.ask(NackPair(packetID: 18 + 256, bitmask: 0), nowNanoseconds: 620_000_000, roundTripNanoseconds: 100_000_000)
    #expect(queue.counters.requested == 3 && queue.counters.copies == 2)
  }

  @Test("of more requests than the queue's capacity the newest stay", .shows("simulate: NACK"))
  func flood() {
    // More than the 128 that wait, all of them there.
    var sent = RetransmissionCache(capacity: 1_024)
    for number in 0..<UInt16(1_000) {
      withUnsafeBytes(of: number) { _ = sent.insert($0, sequenceNumber: number, nowNanoseconds: 0) }
    }
    var queue = RetransmissionQueue(bitsPerSecond: 1_000_000_000)
    for round in 0..<50 { queue.ask(NackPair(packetID: UInt16(round * 17), bitmask: .max), nowNanoseconds: 0) }
    #expect(queue.counters.requested == 850 && queue.counters.skipped == 850 - 128)
    var numbers: [UInt16] = []
    for step in 0..<1_000 {
      while let packet = queue.next(from: sent, nowNanoseconds: step * 100_000) {
        numbers.append(packet.loadUnaligned(as: UInt16.self))
      }
    }
    #expect(numbers == Array(722..<850))
  }

  @Test("a request not answered within 100 ms is skipped for newer ones", .shows("simulate: NACK"))
  func expires() {
    var sent = RetransmissionCache(capacity: 1_024)
    for number in 0..<UInt16(200) {
      var packet = [UInt8](repeating: 0, count: 100)
      packet[0] = UInt8(number)
      packet.withUnsafeBytes { _ = sent.insert($0, sequenceNumber: number, nowNanoseconds: 1_000_000_000) }
    }
    // 100 bytes take 10 ms, and there is a request every 5 ms.
    var queue = RetransmissionQueue(bitsPerSecond: 80_000)
    var ages: [Int] = []
    for milliseconds in 1_000..<1_500 {
      if milliseconds % 5 == 0 {
        queue.ask(
          NackPair(packetID: UInt16((milliseconds - 1_000) / 5), bitmask: 0), nowNanoseconds: milliseconds * 1_000_000)
      }
      while let packet = queue.next(from: sent, nowNanoseconds: milliseconds * 1_000_000) {
        ages.append(milliseconds - 1_000 - Int(packet[0]) * 5)
      }
    }
    #expect(ages.count == 50 && ages.allSatisfy { (0...100).contains($0) })
    // 100 were asked for; what is left has waited for 100 ms at most.
    #expect(queue.counters.skipped >= 25 && queue.counters.skipped <= 50)
  }
}
