import AudioGraph
import MediaStreams
import RTP
import StreamTestSupport
import TestSupport
import Testing

/// Counts of lost, late and retransmitted packets.
@Suite(.timeLimit(.minutes(10))) struct JitterBufferCountsTests {
  private struct Arrival {
    let milliseconds: Double
    let number: Int
    var origin = PacketOrigin.first
  }

  /// Packets of 20 ms, each sent when its sound is there; the statistics after each of so many frames.
  private func render(_ arrivals: [Arrival], seconds: Int) throws -> [JitterBufferStatistics] {
    var receiver = try JitterBuffer(JitterBufferOptions(codec: .null))
    let memory = FrameMemory(count: 1, format: try AudioFormat(sampleRate: 48_000, channelCount: 1))
    defer { withExtendedLifetime(memory) {} }
    let sorted = arrivals.sorted { $0.milliseconds < $1.milliseconds }
    var (next, statistics) = (0, [JitterBufferStatistics]())
    for index in 0..<(seconds * 100) {
      while next < sorted.count, sorted[next].milliseconds <= Double(index * 10) {
        let arrival = sorted[next]
        let packet = try TimedPacket(
          arrival: Int(arrival.milliseconds * 1e6), payload: TimedPacket.null(arrival.number, samples: 960),
          sequenceNumber: UInt16(truncatingIfNeeded: arrival.number),
          timestamp: UInt32(truncatingIfNeeded: arrival.number * 960))
        packet.bytes.withUnsafeBytes {
          receiver.insert($0, arrivalNanoseconds: packet.arrival, origin: arrival.origin)
        }
        next += 1
      }
      receiver.render(into: memory[0], nowNanoseconds: index * 10_000_000)
      statistics.append(receiver.statistics)
      #expect(receiver.statistics.ledger.imbalance() == 0)
    }
    return statistics
  }

  private func onTime(_ numbers: Range<Int>) -> [Arrival] {
    numbers.map { Arrival(milliseconds: Double($0 * 20) + 3, number: $0) }
  }

  @Test(
    "an outage of more packets than there are numbers counts in full",
    arguments: [2_000, 65_535, 65_536, 70_000, 200_000])
  func longOutage(lost: Int) throws {
    var receiver = try JitterBuffer(JitterBufferOptions(codec: .null))
    let memory = FrameMemory(count: 1, format: try AudioFormat(sampleRate: 48_000, channelCount: 1))
    defer { withExtendedLifetime(memory) {} }
    func give(_ number: Int) throws {
      let now = number * 20_000_000
      let packet = try TimedPacket(
        arrival: now, payload: TimedPacket.null(number, samples: 960),
        sequenceNumber: UInt16(truncatingIfNeeded: number), timestamp: UInt32(truncatingIfNeeded: number * 960))
      packet.bytes.withUnsafeBytes { receiver.insert($0, arrivalNanoseconds: now) }
      for frame in 0..<2 { receiver.render(into: memory[0], nowNanoseconds: now + frame * 10_000_000) }
    }
    for number in 0..<500 { try give(number) }
    for number in (500 + lost)..<(600 + lost) { try give(number) }
    #expect(receiver.statistics.packetsLost == lost)
  }

  @Test("a reordered packet is not lost while it can still be played", .shows("receive: counts"))
  func overtaken() throws {
    // Every fifth one takes 50 ms longer.
    let arrivals = (0..<500).map { Arrival(milliseconds: Double($0 * 20) + ($0 % 5 == 4 ? 53 : 3), number: $0) }
    let statistics = try render(arrivals, seconds: 9)
    // Once that has been learnt.
    #expect(statistics[400...].allSatisfy { $0.packetsLost == statistics[399].packetsLost })
    let (before, after) = (statistics[400], statistics[899])
    #expect(after.packetsDiscarded == before.packetsDiscarded && after.concealedSamples == before.concealedSamples)
  }

  @Test(
    "a packet counts as lost after its time, and as late if it still comes",
    .shows("receive: counts"))
  func passes() throws {
    var arrivals = onTime(0..<300).filter { $0.number != 200 && $0.number != 250 }
    arrivals.append(Arrival(milliseconds: 250 * 20 + 203, number: 250))
    let statistics = try render(arrivals, seconds: 6)
    // Its successor came at 4023 ms, and it should have been played by then.
    #expect(statistics[399].packetsLost == 0 && statistics[406].packetsLost == 1)
    #expect(statistics[510].packetsLost == 2 && statistics[510].packetsDiscarded == 0)
    #expect(statistics[530].packetsLost == 1 && statistics[530].packetsDiscarded == 1)
  }

  @Test("a retransmission that comes too late is discarded, not played", .shows("receive: counts"))
  func lateAnswers() throws {
    var arrivals = onTime(0..<300).filter { $0.number != 200 }
    arrivals.append(Arrival(milliseconds: 4_300, number: 200, origin: .retransmitted))
    let last = try #require(try render(arrivals, seconds: 6).last)
    #expect(last.packetsDiscarded == 1 && last.packetsLost == 0)
    #expect(last.retransmittedPacketsReceived == 1 && last.retransmittedPacketsUsed == 0)
    #expect(last.decodedSamples == 299 * 960)
  }

  @Test("answers from the midst of an outage are not played afterwards", .shows("receive: counts"))
  func oldAnswers() throws {
    var arrivals = onTime(0..<400).filter { !(200..<250).contains($0.number) }
    for number in 220..<235 {
      arrivals.append(
        Arrival(milliseconds: 5_004 + Double(number - 220), number: number, origin: .retransmittedInReach))
    }
    let statistics = try render(arrivals, seconds: 8)
    let last = try #require(statistics.last)
    #expect(last.retransmittedPacketsReceived == 15 && last.retransmittedPacketsUsed == 0)
    #expect(last.packetsDiscarded == 15 && last.packetsLost == 35)
    // The delay is what it was.
    let window = (last.jitterBufferDelay - statistics[650].jitterBufferDelay, last, statistics[650])
    let emitted = Double(window.1.jitterBufferEmittedCount - window.2.jitterBufferEmittedCount)
    #expect(window.0 / emitted * 1_000 < 40)
  }

  @Test("a packet overtaken by its own retransmission is not lost", .shows("receive: counts"))
  func original() throws {
    var arrivals = onTime(0..<300).filter { $0.number != 200 }
    arrivals.append(Arrival(milliseconds: 4_024, number: 200, origin: .retransmitted))
    arrivals.append(Arrival(milliseconds: 4_050, number: 200))
    let statistics = try render(arrivals, seconds: 6)
    #expect(statistics[404].retransmittedPacketsReceived == 1)
    let last = try #require(statistics.last)
    #expect(last.retransmittedPacketsReceived == 0 && last.retransmittedPacketsUsed == 0)
    #expect(last.packetsLost == 0 && last.packetsDuplicated == 1)
  }

  @Test(
    "a network stall without loss freezes the sound",
    arguments: [800, 1_000, 3_000] as [Double])
  func standstill(milliseconds: Double) throws {
    let end = 2_000 + milliseconds
    let held = (100..<Int(end / 20)).map { Arrival(milliseconds: end + 3, number: $0) }
    let still = try render(onTime(0..<100) + held + onTime(Int(end / 20)..<300), seconds: 6)
    let last = try #require(still.last)
    // The first 200 ms are made up of what was before, and the buffer goes on for its delay.
    #expect(abs(Double(last.frozenSamples) / 48 - (milliseconds - 200)) < 60, "\(last.frozenSamples)")
    #expect(abs(Double(last.concealedSamples) / 48 - milliseconds) < 60, "\(last.concealedSamples)")
    #expect(last.packetsLost == 0 && last.streamsBegun == 1)
  }

  @Test(
    "losses before a silence of 15 s count once the sender continues", .shows("receive: counts"),
    arguments: [0, 1_000])
  func silence(lost: Int) throws {
    // The sender pauses where nothing was lost: its numbers go on from where they were.
    var arrivals = onTime(0..<100)
    for number in 0..<100 {
      arrivals.append(Arrival(milliseconds: 22_003 + Double(number * 20), number: 100 + lost + number))
    }
    let statistics = try render(arrivals, seconds: 25)
    let last = try #require(statistics.last)
    #expect(last.streamsBegun == 2)
    #expect(statistics[2_100].packetsLost == 0 && last.packetsLost == lost)
    // 20 s without a packet, of which the first 200 ms are made up and the rest is silent: by loss, or because nothing
    // was said.
    let (silence, then) = (lost * 960, statistics[2_390])
    #expect(abs(then.frozenSamples - max(0, silence - 9_600)) < 2_400, "\(then.frozenSamples)")
    #expect(abs(then.concealedSamples - max(9_600, silence)) < 2_400, "\(then.concealedSamples)")
    #expect(abs(then.outageSamples - (lost == 0 ? 0 : 5 * 48_000)) < 2_400)
  }

  @Test("numbers beyond the elapsed time restart the stream without loss")
  func restart() throws {
    var arrivals = onTime(0..<100)
    for number in 0..<100 {
      arrivals.append(Arrival(milliseconds: 22_003 + Double(number * 20), number: 20_000 + number))
    }
    let last = try #require(try render(arrivals, seconds: 25).last)
    #expect(last.streamsBegun == 2 && last.packetsLost == 0)
  }

  @Test(
    "packets longer than their timestamps allow do not increase the delay",
    .shows("receive: numbers"))
  func lyingLengths() throws {
    // From 2 to 5 s each says that it lasts 120 ms, and the next one follows 20 ms behind it.
    let packets = try (0..<500).map { number in
      try TimedPacket(
        arrival: number * 20_000_000 + 3_000_000,
        payload: TimedPacket.null(number, samples: (100..<250).contains(number) ? 5_760 : 960),
        sequenceNumber: UInt16(number), timestamp: UInt32(number * 960))
    }
    let bench = try ReceiverBench(
      JitterBufferOptions(codec: .null), packets: packets, frameCount: 1_000, keepsSamples: false)
    let last = try #require(bench.statistics.last)
    // The first lasts to the beginning of the seventh, the last over five honest ones.
    #expect(last.packetsOverlapping == 149 + 5 && last.packetsMalformed == 0)
    #expect(last.packetsReceived == 500 && last.packetsLost == 0 && last.packetsDiscarded == 0)
    #expect(bench.delay(600..<1_000) <= bench.delay(100..<200) + 1)
    #expect(bench.concealed(0..<1_000) <= 0.01 && bench.imbalances.isEmpty)
  }
}
