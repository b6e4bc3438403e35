import RTP
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct ReceptionStatisticsTests {
  /// Receives numbers without wraps, each at its time, without jitter.
  private func receive(_ numbers: some Sequence<Int>, into statistics: inout ReceptionStatistics) {
    for number in numbers {
      statistics.receive(
        sequence: number, timestamp: UInt32(truncatingIfNeeded: number * 960),
        arrivalNanoseconds: 1_000_000_000 + number * 20_000_000)
    }
  }

  @Test("an older packet after the first one extends the expected count")
  func beginning() {
    var statistics = ReceptionStatistics()
    #expect(statistics.expectedCount == 0 && statistics.lostCount == 0)
    receive([65_540], into: &statistics)
    #expect(statistics.expectedCount == 1 && statistics.extendedHighestSequenceNumber == 4)
    receive([65_543, 65_535], into: &statistics)
    #expect(statistics.receivedCount == 3 && statistics.expectedCount == 9 && statistics.lostCount == 6)
    #expect(statistics.extendedHighestSequenceNumber == 7)
  }

  @Test("losses, duplicates and late packets add up as RFC 3550 counts them")
  func counts() {
    var statistics = ReceptionStatistics()
    let start = 65_500
    // Of 200 packets over a wrap every tenth is lost; of those, two come late; three others come twice.
    let sent = (start..<(start + 200)).filter { ($0 - start) % 10 != 5 }
    receive(sent + [start + 185, start + 195, start + 199, start + 199, start + 198], into: &statistics)
    #expect(statistics.expectedCount == 200)
    #expect(statistics.receivedCount == 180 + 2 + 3)
    #expect(statistics.lostCount == 15)
    #expect(statistics.extendedHighestSequenceNumber == UInt32(start + 199))
  }

  @Test("the edge of a wrap may be lost, late or doubled", arguments: 0..<4)
  func wrapEdge(scenario: Int) {
    let numbers =
      [
        [65_533, 65_534, 65_536, 65_537], [65_533, 65_535, 65_536, 65_534], [65_534, 65_535, 65_535, 65_536],
        [65_534, 65_536, 65_535, 65_537],
      ][scenario]
    var statistics = ReceptionStatistics()
    receive(numbers, into: &statistics)
    #expect(statistics.extendedHighestSequenceNumber == UInt32(numbers.max()!))
    #expect(statistics.expectedCount == numbers.max()! - numbers.min()! + 1)
    #expect(statistics.receivedCount == 4)
  }

  @Test("the fraction lost covers the interval, in 1/256")
  func fraction() {
    var statistics = ReceptionStatistics()
    receive(0..<100, into: &statistics)
    let whole = statistics.makeReportBlock(ssrc: 9, nowNanoseconds: 0)
    #expect(whole.fractionLost == 0 && whole.cumulativeLost == 0 && whole.ssrc == 9)
    // One in four lost, and the last comes.
    receive((100..<200).filter { $0 % 4 != 0 }, into: &statistics)
    let quarter = statistics.makeReportBlock(ssrc: 9, nowNanoseconds: 0)
    #expect(quarter.fractionLost == 64 && quarter.cumulativeLost == 25 && quarter.extendedHighestSequenceNumber == 199)
    // Nothing came: nothing is known to be lost.
    #expect(statistics.makeReportBlock(ssrc: 9, nowNanoseconds: 0).fractionLost == 0)
    // Only duplicates: fewer lost than none is none.
    receive([199, 199, 199], into: &statistics)
    let duplicates = statistics.makeReportBlock(ssrc: 9, nowNanoseconds: 0)
    #expect(duplicates.fractionLost == 0 && duplicates.cumulativeLost == 22)
    // All but one of 2000: 255.87 of 256.
    receive([2199], into: &statistics)
    #expect(statistics.makeReportBlock(ssrc: 9, nowNanoseconds: 0).fractionLost == 255)
  }

  @Test("a noted duplicate hides no loss in a report")
  func duplicates() {
    var statistics = ReceptionStatistics()
    receive((0..<100).filter { $0 % 10 != 5 }, into: &statistics)
    for _ in 0..<20 { statistics.noteDuplicate() }
    let block = statistics.makeReportBlock(ssrc: 9, nowNanoseconds: 0)
    #expect(block.fractionLost == 25 && block.cumulativeLost == 10)
    #expect(statistics.receivedCount == 90 && statistics.duplicateCount == 20)
  }

  @Test("evenly spaced packets have no jitter, at any clock rate", arguments: [8000, 48_000, 90_000])
  func noJitter(clockRate: Int) {
    var statistics = ReceptionStatistics(clockRate: clockRate)
    for number in 0..<1000 {
      statistics.receive(
        sequence: number, timestamp: UInt32(number * clockRate / 50) &- 1000,
        arrivalNanoseconds: number * 20_000_000)
    }
    #expect(statistics.jitter == 0)
  }

  @Test(
    "jitter follows the RFC's running mean within 3 units",
    arguments: [1, 2, 3] as [UInt64])
  func jitter(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var statistics = ReceptionStatistics()
    // J += (|D| - J) / 16, in units of 1/48000 s and floating point.
    var expected = 0.0
    var lastDelay: Double?
    for number in 0..<2000 {
      let delay = Double.random(in: 0...0.04, using: &random)
      // Begins before a wrap of the timestamps.
      statistics.receive(
        sequence: number, timestamp: UInt32(truncatingIfNeeded: number * 960) &- 100_000,
        arrivalNanoseconds: number * 20_000_000 + Int(delay * 1e9))
      if let lastDelay { expected += (abs(delay - lastDelay) * 48_000 - expected) / 16 }
      lastDelay = delay
      #expect(abs(Double(statistics.jitter) - expected) < 3, "packet \(number), seed \(seed)")
    }
  }

  @Test("a report holds the delay since the last sender report, in 1/65536 s")
  func delaySinceReport() {
    var statistics = ReceptionStatistics()
    receive(0..<10, into: &statistics)
    let before = statistics.makeReportBlock(ssrc: 1, nowNanoseconds: 0)
    #expect(before.lastSenderReport == 0 && before.delaySinceLastSenderReport == 0)
    let report = SenderReport(
      ssrc: 1, ntp: NTPTimestamp(rawValue: 0xB44D_B705_2000_0000), rtpTimestamp: 0, packetCount: 0, octetCount: 0)
    statistics.receive(report, arrivalNanoseconds: 7_000_000_000)
    // RFC 3550, figure 2: 5.25 s.
    let block = statistics.makeReportBlock(ssrc: 1, nowNanoseconds: 12_250_000_000)
    #expect(block.lastSenderReport == 0xB705_2000 && block.delaySinceLastSenderReport == 0x5_4000)
    let later = statistics.makeReportBlock(ssrc: 1, nowNanoseconds: 7_000_000_000 + 3600 * 1_000_000_000)
    #expect(later.delaySinceLastSenderReport == 3600 << 16)
  }
}
