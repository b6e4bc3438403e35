import TestSupport
import Testing
import Transport

@Suite struct ReceptionStatisticsTests {
  /// Receives numbers that count from 0 and wrap, each at its time, without jitter.
  private func receive(_ numbers: some Sequence<Int>, into statistics: inout ReceptionStatistics)
    -> [ReceptionStatistics.Verdict]
  {
    numbers.map { number in
      statistics.receive(
        sequenceNumber: UInt16(truncatingIfNeeded: number), timestamp: UInt32(truncatingIfNeeded: number * 960),
        arrivalNanoseconds: 1_000_000_000 + number * 20_000_000)
    }
  }

  @Test("two packets in sequence make a source, and what is counted begins with the second")
  func probation() {
    var statistics = ReceptionStatistics()
    // A stray, its neighbour missing, then two in sequence.
    let verdicts = receive([7, 9, 100, 101, 102], into: &statistics)
    #expect(verdicts == [.probation, .probation, .probation, .started, .inOrder])
    #expect(statistics.receivedCount == 2 && statistics.expectedCount == 2)
  }

  @Test("a source may be believed at once")
  func noProbation() {
    var statistics = ReceptionStatistics(minimumSequential: 1)
    #expect(statistics.expectedCount == 0 && statistics.lostCount == 0)
    let verdicts = receive([7, 9], into: &statistics)
    #expect(verdicts == [.started, .inOrder])
    #expect(statistics.receivedCount == 2 && statistics.expectedCount == 3 && statistics.lostCount == 1)
  }

  @Test("losses, duplicates and late packets add up as RFC 3550 counts them, through wraps")
  func counts() {
    var statistics = ReceptionStatistics(minimumSequential: 1)
    let start = 65_500
    // Of 200 packets over a wrap every tenth is lost; of those, two come late; three others come twice.
    let sent = (start..<(start + 200)).filter { ($0 - start) % 10 != 5 }
    _ = receive(sent + [start + 185, start + 195, start + 199, start + 199, start + 198], into: &statistics)
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
    var statistics = ReceptionStatistics(minimumSequential: 1)
    _ = receive(numbers, into: &statistics)
    #expect(statistics.extendedHighestSequenceNumber == UInt32(numbers.max()!))
    #expect(statistics.expectedCount == numbers.max()! - numbers.min()! + 1)
    #expect(statistics.receivedCount == 4)
  }

  @Test("the fraction is that of the interval, in 1/256")
  func fraction() {
    var statistics = ReceptionStatistics(minimumSequential: 1)
    _ = receive(0..<100, into: &statistics)
    let whole = statistics.makeReportBlock(ssrc: 9, nowNanoseconds: 0)
    #expect(whole.fractionLost == 0 && whole.cumulativeLost == 0 && whole.ssrc == 9)
    // One in four lost, and the last comes.
    _ = receive((100..<200).filter { $0 % 4 != 0 }, into: &statistics)
    let quarter = statistics.makeReportBlock(ssrc: 9, nowNanoseconds: 0)
    #expect(quarter.fractionLost == 64 && quarter.cumulativeLost == 25 && quarter.extendedHighestSequenceNumber == 199)
    // Nothing came: nothing is known to be lost.
    #expect(statistics.makeReportBlock(ssrc: 9, nowNanoseconds: 0).fractionLost == 0)
    // Only duplicates: fewer lost than none is none.
    _ = receive([199, 199, 199], into: &statistics)
    let duplicates = statistics.makeReportBlock(ssrc: 9, nowNanoseconds: 0)
    #expect(duplicates.fractionLost == 0 && duplicates.cumulativeLost == 22)
    // All but one of 2000: 255.87 of 256.
    _ = receive([2199], into: &statistics)
    #expect(statistics.makeReportBlock(ssrc: 9, nowNanoseconds: 0).fractionLost == 255)
  }

  @Test("a jump is a stray packet, two in sequence after it are a new beginning")
  func restart() {
    var statistics = ReceptionStatistics(minimumSequential: 1)
    _ = receive(0..<50, into: &statistics)
    // 3000 ahead is too far; one of another source in between leaves the count alone.
    let verdicts = receive([20_000, 50, 40_000, 40_001, 40_002], into: &statistics)
    #expect(verdicts == [.stray, .inOrder, .stray, .started, .inOrder])
    #expect(statistics.receivedCount == 2 && statistics.expectedCount == 2 && statistics.lostCount == 0)
    let block = statistics.makeReportBlock(ssrc: 1, nowNanoseconds: 0)
    #expect(block.fractionLost == 0 && block.cumulativeLost == 0 && block.extendedHighestSequenceNumber == 40_002)
  }

  @Test(
    "the limits of what is a gap and what is late are the RFC's",
    arguments: [(2999, ReceptionStatistics.Verdict.inOrder), (3000, .stray), (-99, .lateOrDuplicate), (-100, .stray)])
  func limits(distance: Int, expected: ReceptionStatistics.Verdict) {
    var statistics = ReceptionStatistics(minimumSequential: 1)
    let verdicts = receive([30_000, 30_000 + distance], into: &statistics)
    #expect(verdicts == [.started, expected])
  }

  @Test("evenly spaced packets have no jitter, at any clock rate", arguments: [8000, 48_000, 90_000])
  func noJitter(clockRate: Int) {
    var statistics = ReceptionStatistics(clockRate: clockRate, minimumSequential: 1)
    for number in 0..<1000 {
      _ = statistics.receive(
        sequenceNumber: UInt16(number), timestamp: UInt32(number * clockRate / 50) &- 1000,
        arrivalNanoseconds: number * 20_000_000)
    }
    #expect(statistics.jitter == 0)
  }

  @Test(
    "jitter is the running mean of the RFC's formula, within a unit or two of its arithmetic",
    arguments: [1, 2, 3] as [UInt64])
  func jitter(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var statistics = ReceptionStatistics(minimumSequential: 1)
    // J += (|D| - J) / 16, in units of 1/48000 s and floating point.
    var expected = 0.0
    var lastDelay: Double?
    for number in 0..<2000 {
      let delay = Double.random(in: 0...0.04, using: &random)
      // Begins before a wrap of the timestamps.
      _ = statistics.receive(
        sequenceNumber: UInt16(number), timestamp: UInt32(truncatingIfNeeded: number * 960) &- 100_000,
        arrivalNanoseconds: number * 20_000_000 + Int(delay * 1e9))
      if let lastDelay { expected += (abs(delay - lastDelay) * 48_000 - expected) / 16 }
      lastDelay = delay
      #expect(abs(Double(statistics.jitter) - expected) < 3, "packet \(number), seed \(seed)")
    }
  }

  @Test("the report tells how long ago the last sender report came, in 1/65536 s")
  func delaySinceReport() {
    var statistics = ReceptionStatistics(minimumSequential: 1)
    _ = receive(0..<10, into: &statistics)
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
