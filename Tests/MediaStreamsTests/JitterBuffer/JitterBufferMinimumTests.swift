import MediaStreams
import StreamTestSupport
import TestSupport
import Testing

/// The shortest wait of a receiver's samples.
@Suite(.timeLimit(.minutes(10))) struct JitterBufferMinimumTests {
  private static func bench(
    seed: UInt64, minimum: @escaping (Int) -> Int, delay: @escaping (inout SeededGenerator) -> Double
  ) throws -> ReceiverBench {
    let stream = try PacketStream.null(seconds: 30, seed: seed) { delay(&$0) }
    return try ReceiverBench(
      JitterBufferOptions(codec: .null), packets: stream.packets, frameCount: 3_000, keepsSamples: false,
      minimumDelay: minimum)
  }

  @Test(
    "samples wait for the minimum, and hardly longer", .shows("C11"), arguments: [0.0, 5, 40], [UInt64(1), 2])
  func wait(jitter: Double, seed: UInt64) throws {
    let bench = try Self.bench(seed: seed, minimum: { _ in 150_000_000 }) {
      20 + (jitter == 0 ? 0 : Double.random(in: 0..<jitter, using: &$0))
    }
    for start in stride(from: 100, to: 2_900, by: 100) {
      let delay = bench.delay(start..<(start + 100))
      #expect((150...185).contains(delay), "\(delay) ms at \(start * 10) ms")
    }
    #expect(bench.concealed(100..<3_000) == 0 && bench.imbalances.isEmpty)
  }

  @Test("a minimum of 150 ms conceals less on a rough network", .shows("C11"), arguments: [UInt64(1), 2, 3])
  func concealment(seed: UInt64) throws {
    let rough: (inout SeededGenerator) -> Double = {
      Double.random(in: 0..<1, using: &$0) < 0.01 ? Double.random(in: 60..<140, using: &$0) : 20
    }
    let (without, with) = (
      try Self.bench(seed: seed, minimum: { _ in 0 }, delay: rough),
      try Self.bench(seed: seed, minimum: { _ in 150_000_000 }, delay: rough)
    )
    let (many, few) = (without.concealed(200..<3_000), with.concealed(200..<3_000))
    #expect(many > 0 && few < many / 10, "\(many), \(few)")
  }

  @Test("a minimum that is set and taken back is followed within 3 s", .shows("C11"))
  func change() throws {
    let bench = try Self.bench(seed: 1, minimum: { (1_000..<2_000).contains($0) ? 150_000_000 : 0 }) { _ in 20 }
    #expect(bench.delay(500..<1_000) < 40 && bench.delay(1_300..<2_000) >= 150 && bench.delay(2_300..<3_000) < 40)
  }
}
