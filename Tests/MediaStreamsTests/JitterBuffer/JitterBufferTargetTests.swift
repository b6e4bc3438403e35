import MediaStreams
import StreamTestSupport
import TestSupport
import Testing

/// The receiver's target delay against the wait of its packets.
@Suite(.timeLimit(.minutes(10))) struct JitterBufferTargetTests {
  /// Windows of half a second in which what is told differs from what is there by more than so many milliseconds.
  private func disagreements(_ bench: ReceiverBench, _ range: Range<Int>, by limit: Double) -> [String] {
    stride(from: range.lowerBound, through: range.upperBound - 50, by: 50).compactMap { start in
      let told = bench.targets[start..<(start + 50)].reduce(0, +) / 50
      let delay = bench.delay(start..<(start + 50))
      return abs(told - delay) > limit ? "at \(start * 10) ms \(told) is told, \(delay) ms are waited" : nil
    }
  }

  @Test(
    "when the path changes, the target delay is the actual wait within 1 s",
    .shows("receive: delay"),
    arguments: [10.0, 30])
  func ways(jitter: Double) throws {
    let stream = try PacketStream.null(seconds: 50, seed: 3) { Double.random(in: 20..<(20 + jitter), using: &$0) }
    let packets = stream.packets.map { packet in
      var packet = packet
      if (10_000_000_000..<30_000_000_000).contains(packet.arrival) { packet.arrival += 150_000_000 }
      return packet
    }.sorted { $0.arrival < $1.arrival }
    let bench = try ReceiverBench(
      JitterBufferOptions(codec: .null), packets: packets, frameCount: 5_000, keepsSamples: false)
    for range in [300..<1_000, 1_120..<3_000, 3_120..<5_000] {
      let found = disagreements(bench, range, by: 10)
      #expect(found.isEmpty, "\(found)")
    }
    // Less than packets take is aimed at only until it is known that they take longer.
    let short = bench.targets.indices.dropFirst(100).filter { bench.targets[$0] <= 2 }
    #expect(short.allSatisfy { (1_015..<1_075).contains($0) }, "\(short)")
  }

  @Test(
    "when packet lengths change, the delay is one packet and a frame",
    .shows("receive: delay"))
  func lengths() throws {
    var packets: [TimedPacket] = []
    var (sent, number, timestamp) = (3.3, 0, 0)
    while sent < 30_000 {
      let length = sent < 5_000 || sent > 20_000 ? 20 : sent < 12_000 ? 10 : 40
      // A packet leaves when the last of its sound is there.
      packets.append(
        try TimedPacket(
          arrival: Int((sent + Double(length)) * 1e6), payload: TimedPacket.null(number, samples: length * 48),
          sequenceNumber: UInt16(number), timestamp: UInt32(timestamp)))
      number += 1
      timestamp += length * 48
      sent += Double(length)
    }
    let bench = try ReceiverBench(
      JitterBufferOptions(codec: .null), packets: packets, frameCount: 3_000, keepsSamples: false)
    for (range, length) in [(100..<500, 20.0), (600..<1_200, 10), (1_300..<2_000, 40), (2_120..<2_950, 20)] {
      for start in stride(from: range.lowerBound, to: range.upperBound - 50, by: 50) {
        #expect(bench.delay(start..<(start + 50)) <= length + 10, "at \(start * 10) ms")
        #expect(bench.targets[start..<(start + 50)].allSatisfy { $0 <= length + 10 }, "at \(start * 10) ms")
      }
      let found = disagreements(bench, range.lowerBound..<(range.upperBound - 50), by: 6)
      #expect(found.isEmpty, "\(found)")
    }
    // A packet that is longer comes later; nothing else is made up.
    let longer = 1_190..<1_260
    #expect(bench.concealed(100..<1_190) == 0 && bench.concealed(1_260..<2_950) == 0)
    #expect(bench.concealed(longer) * Double(longer.count) * 10 <= 50)
  }
}
