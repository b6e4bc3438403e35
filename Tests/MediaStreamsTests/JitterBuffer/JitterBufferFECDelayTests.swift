import MediaStreams
import OpusCodec
import StreamTestSupport
import TestSupport
import Testing

/// Delay and concealment of 60 s of Opus, after 10 s.
// With AUDIOPIPE_LONG=1 it takes hours.
@Suite(.timeLimit(.minutes(LongRun.minutes))) struct JitterBufferFECDelayTests {
  private static let seeds = 1...UInt64(LongRun.isWanted ? 20 : 3)
  private static let seconds = 70
  private static let measured = 1_000..<7_000

  private static func bench(
    _ payloads: [[UInt8]], seed: UInt64, loss: Double = 0, isRelayed: Bool = false,
    delay: (inout SeededGenerator) -> Double
  ) throws -> (bench: ReceiverBench, lost: [Int]) {
    let count = seconds * 50
    var random = SeededGenerator(seed: seed &+ 1_000)
    let stream = try PacketStream(
      (0..<count).map { payloads[$0 % payloads.count] }, packetMilliseconds: 20,
      startMilliseconds: Double.random(in: 0..<10, using: &random), seed: seed, loss: loss, delay: delay)
    var options = JitterBufferOptions()
    options.isRelayed = isRelayed
    let bench = try ReceiverBench(
      options, packets: stream.packets, frameCount: seconds * 100, keepsSamples: false)
    let arrived = Set(stream.packets.map { Int($0.bytes[2]) << 8 | Int($0.bytes[3]) })
    return (bench, (0..<count).filter { !arrived.contains($0) })
  }

  @Test(
    "with FEC only unrecoverable losses and 1 % more are concealed",
    .shows("receive: delay"))
  func rebuilt() throws {
    let payloads = JitterBufferLossTests.payloads
    let hasCopy = try payloads.indices.map { try JitterBufferLossTests.hasCopy($0) }
    var delays: [Double] = []
    for seed in Self.seeds {
      let (bench, lost) = try Self.bench(payloads, seed: seed, loss: 0.1) {
        30 + Double.random(in: 0..<40, using: &$0)
      }
      delays.append(bench.delay(Self.measured))
      let missing = Set(lost)
      // Packets of 20 ms from 10 s on.
      let left = lost.filter { $0 >= 500 && (missing.contains($0 + 1) || !hasCopy[$0 % payloads.count]) }.count
      let concealed = bench.concealed(Self.measured)
      #expect(concealed <= Double(left) / 3_000 + 0.01, "seed \(seed): \(left) cannot be rebuilt")
      #expect(bench.imbalances.isEmpty, "seed \(seed)")
    }
    #expect(delays.allSatisfy { $0 <= 60 }, "\(delays)")
  }

  @Test("with FEC, packets that a relay recovers late do not lengthen the delay", .shows("receive: delay"))
  func recoveredLate() throws {
    for seed in Self.seeds {
      let (bench, _) = try Self.bench(JitterBufferLossTests.payloads, seed: seed, isRelayed: true) {
        30 + ($0.next() % 10 == 0 ? 130 : 0)
      }
      #expect(bench.delay(Self.measured) <= 40, "seed \(seed): \(bench.delay(Self.measured))")
    }
  }

  @Test(
    "with Opus the delay is as short as without a codec", .shows("receive: delay"),
    .enabled(if: LongRun.isWanted), arguments: JitterBufferDelayTests.Network.all)
  func withOpus(network: JitterBufferDelayTests.Network) throws {
    let payloads = try OpusStream.encode(TestVoice.samples, options: OpusOptions(packetDuration: .milliseconds20))
    let (bench, _) = try Self.bench(payloads, seed: 1) { random in
      network.spreads.reduce(network.lowest) { $0 + Double.random(in: 0..<$1, using: &random) }
    }
    #expect(bench.delay(Self.measured) <= network.delayLimit, "\(bench.delay(Self.measured))")
    #expect(bench.concealed(Self.measured) <= 0.002)
    #expect(bench.imbalances.isEmpty)
  }
}
