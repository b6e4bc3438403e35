import MediaStreams
import StreamTestSupport
import TestSupport
import Testing

/// Delay and concealment of 60 s, after 10 s, over networks that lose nothing or a tenth.
// With AUDIOPIPE_LONG=1 it takes hours.
@Suite(.timeLimit(.minutes(LongRun.minutes))) struct JitterBufferDelayTests {
  struct Network: CustomStringConvertible, Sendable {
    let description: String
    /// Milliseconds.
    let delayLimit: Double
    let lowest: Double
    /// Each adds up to so much, uniformly.
    let spreads: [Double]

    static let all = [
      Network(description: "20±15 ms", delayLimit: 30, lowest: 5, spreads: [30]),
      Network(description: "20±15 ms twice", delayLimit: 45, lowest: 10, spreads: [30, 30]),
      Network(description: "50±20 ms", delayLimit: 40, lowest: 30, spreads: [40]),
    ]
  }

  @Test("the delay is short and next to nothing is concealed", .shows("receive: delay"), arguments: Network.all)
  func delays(network: Network) throws {
    let seeds = 1...(LongRun.isWanted ? 20 : 3)
    var delays: [Double] = []
    for seed in seeds {
      let stream = try PacketStream.null(seconds: 70, seed: UInt64(seed)) { random in
        network.spreads.reduce(network.lowest) { $0 + Double.random(in: 0..<$1, using: &random) }
      }
      let bench = try ReceiverBench(
        JitterBufferOptions(codec: .null), packets: stream.packets, frameCount: 7_000, keepsSamples: false)
      delays.append(bench.delay(1_000..<7_000))
      #expect(bench.concealed(1_000..<7_000) <= 0.002, "seed \(seed)")
      #expect(bench.imbalances.isEmpty, "seed \(seed)")
      #expect(bench.statistics.last?.payloadMismatches == 0)
    }
    #expect(delays.reduce(0, +) / Double(delays.count) <= network.delayLimit, "\(delays)")
  }
}
