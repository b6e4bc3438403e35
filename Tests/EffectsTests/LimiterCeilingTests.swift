import AudioGraph
import Effects
import Glibc
import GraphTestSupport
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct LimiterCeilingTests {
  private static let oracle = TruePeakOracle()

  /// A sine at a quarter of the rate whose samples lie at 45 degrees, faded in: peaks are 3.01 dB above each sample.
  private static func sine(truePeak decibels: Double, rate: Int) -> [Float] {
    let sine = Signals.sine(count: rate, cyclesPerSample: 0.25, amplitude: pow(10, decibels / 20), phase: .pi / 4)
    return sine.indices.map { sine[$0] * Float(min(1, Double($0) / Double(rate / 10))) }
  }

  @Test("a sine comes out 0.4 dB below any ceiling", arguments: [-20.0, -6, -1, 0], [8_000, 48_000])
  func ceiling(decibels: Double, rate: Int) throws {
    let node = LimiterNode(channelCount: 1, sampleRate: rate, isArmed: true, ceiling: Decibels(decibels))
    #expect(node.ceiling == Decibels(decibels) && node.threshold == Decibels(decibels - 0.4))
    let input = Self.sine(truePeak: decibels + 12, rate: rate)
    let output = try NodeBench(node, [input], sampleRate: rate, frames: 100).output[0]
    // Two samples in a row are the sine and the cosine of its phase.
    let tail = output.suffix(rate / 2)
    let peak = zip(tail, tail.dropFirst()).map { Double($0 * $0 + $1 * $1).squareRoot() }.max()!
    // The meter misses a sine's peak by -0.07 to +0.2 dB; far above the threshold 0.72 dB more are taken off.
    #expect((-1.3 ... -0.33).contains(20 * log10(peak) - decibels), "\(20 * log10(peak)) dBTP")
    #expect(Self.oracle.decibels(output) <= decibels + 0.05)
  }

  @Test("below the threshold of a low ceiling a sine keeps every bit")
  func idle() throws {
    let input = Self.sine(truePeak: -20.7, rate: 48_000)
    let node = LimiterNode(channelCount: 1, sampleRate: 48_000, isArmed: true, ceiling: Decibels(-20))
    let output = try NodeBench(node, [input], sampleRate: 48_000, frames: 100).output[0]
    #expect(output[node.latency...].elementsEqual(input.prefix(output.count - node.latency)))
    #expect(node.limitedFrameCount == 0)
  }
}
