import AudioGraph
import Glibc
import MediaStreams
import StreamTestSupport
import TestSupport
import Testing

/// A sender whose clock is not ours: half a minute; where AUDIOPIPE_LONG=1 is set, 24 hours, or one where tests are not
/// optimised.
// With AUDIOPIPE_LONG=1 it takes hours.
@Suite(.timeLimit(.minutes(LongRun.minutes))) struct JitterBufferDriftTests {
  private static let hours = LongRun.isWanted ? LongTests.areOptimised ? 24 : 1 : 26.0 / 3_600
  /// Seconds until the drift is known and followed.
  private static let settling = 16

  /// A second of a sine as 16-bit samples in network byte order.
  private static let sine: [UInt8] = (0..<48_000).flatMap { index in
    let sample = Int16((16_000 * sin(2 * Double.pi * 997 * Double(index) / 48_000)).rounded())
    return [UInt8(truncatingIfNeeded: sample >> 8), UInt8(truncatingIfNeeded: sample)]
  }

  @Test(
    "a clock 300 ppm off is followed without clicks or a change of delay",
    .shows("receive: drift"),
    arguments: [300.0, -300])
  func follows(ppm: Double) throws {
    var receiver = try JitterBuffer(JitterBufferOptions(codec: .linear16()))
    let memory = FrameMemory(count: 1, format: try AudioFormat(sampleRate: 48_000, channelCount: 1))
    defer { withExtendedLifetime(memory) {} }
    let frame = memory[0]
    let samples = frame.channel(0)
    let frames = Int(Self.hours * 360_000)
    var number = 0
    var settled = JitterBufferStatistics()
    var previous = JitterBufferStatistics()
    var (shortest, longest) = (Double.infinity, 0.0)
    var worstRatio = Double.infinity
    var (last, steepest) = (Float(0), Float(0))
    var block: [Double] = []
    for index in 0..<frames {
      let now = index * 10_000_000
      while true {
        let arrival = Int(Double(number) * 1e7 / (1 + ppm * 1e-6)) + 23_300_000
        if arrival > now { break }
        let start = number % 100 * 960
        let packet = try TimedPacket(
          arrival: arrival, payload: Array(Self.sine[start..<(start + 960)]),
          sequenceNumber: UInt16(truncatingIfNeeded: number), timestamp: UInt32(truncatingIfNeeded: number * 480))
        packet.bytes.withUnsafeBytes { receiver.insert($0, arrivalNanoseconds: arrival) }
        number += 1
      }
      receiver.render(into: frame, nowNanoseconds: now)
      if index == Self.settling * 100 {
        settled = receiver.statistics
        previous = settled
      }
      if index >= Self.settling * 100 {
        for sample in 0..<480 {
          steepest = max(steepest, (samples[sample] - (sample == 0 ? last : samples[sample - 1])).magnitude)
        }
        // 100 ms of each five seconds.
        if index % 500 < 10 { block += (0..<480).map { Double(samples[$0]) } }
        if block.count == 4_800 {
          worstRatio = min(worstRatio, Self.signalToNoise(block))
          block = []
        }
        if index % 500 == 0 {
          let now = receiver.statistics
          let count = now.jitterBufferEmittedCount - previous.jitterBufferEmittedCount
          if count > 0 {
            let delay = (now.jitterBufferDelay - previous.jitterBufferDelay) / Double(count) * 1e3
            (shortest, longest) = (min(shortest, delay), max(longest, delay))
          }
          previous = now
        }
      }
      last = samples[479]
    }
    let end = receiver.statistics
    #expect(end.concealedSamples == 0 && end.packetsDiscarded == 0 && end.supersededSamples == 0)
    #expect(end.insertedSamplesForDeceleration == settled.insertedSamplesForDeceleration)
    #expect(end.removedSamplesForAcceleration == settled.removedSamplesForAcceleration)
    // 10 ms packets that wander through our frames: 10 ms, half of which is waited on the average, and a millisecond
    // each for the histogram's bins and the margin.
    #expect(shortest > 0 && longest < 20, "\(shortest)...\(longest) ms")
    #expect(worstRatio >= 60, "\(worstRatio) dB")
    let ownSlope = Float(2 * Double.pi * 997 / 48_000 * 16_000 / 32_768)
    #expect(steepest <= ownSlope * 1.01)
    // After the settling, what drift takes or gives is what the clock says.
    let followed = Double(
      end.removedSamplesForDrift - end.insertedSamplesForDrift - settled.removedSamplesForDrift
        + settled.insertedSamplesForDrift)
    let due = Double(frames - Self.settling * 100) * 480 * ppm * 1e-6
    #expect(abs(followed - due) <= 480)
    #expect(end.ledger.imbalance() == 0)
  }

  @Test(
    "without drift nothing is resampled, with jitter or without", .shows("receive: drift"),
    arguments: [0.0, 30])
  func noDrift(jitter: Double) throws {
    let stream = try PacketStream.null(seconds: 60, seed: 3) { Double.random(in: 0...jitter, using: &$0) }
    let bench = try ReceiverBench(
      JitterBufferOptions(codec: .null), packets: stream.packets, frameCount: 6_000, keepsSamples: false)
    let last = try #require(bench.statistics.last)
    // A rest of a delay's change, that no splice has taken, is taken by resampling: less than the splices' tolerance.
    #expect(last.insertedSamplesForDrift + last.removedSamplesForDrift <= 192)
  }

  /// Power of the sine that fits best, over that of the rest, in dB.
  private static func signalToNoise(_ block: [Double]) -> Double {
    func rest(_ frequency: Double) -> Double {
      var (cc, ss, cs, xc, xs, xx) = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
      for (index, x) in block.enumerated() {
        let (c, s) = (cos(frequency * Double(index)), sin(frequency * Double(index)))
        cc += c * c
        ss += s * s
        cs += c * s
        xc += x * c
        xs += x * s
        xx += x * x
      }
      let determinant = cc * ss - cs * cs
      return (xx - (xc * ss - xs * cs) / determinant * xc - (xs * cc - xc * cs) / determinant * xs) / xx
    }
    var (low, high) = (2 * Double.pi * 997 / 48_000 * 0.999, 2 * Double.pi * 997 / 48_000 * 1.001)
    for _ in 0..<40 {
      let (first, second) = (low + (high - low) / 3, high - (high - low) / 3)
      if rest(first) < rest(second) { high = second } else { low = first }
    }
    return -10 * log10(max(rest((low + high) / 2), 1e-15))
  }
}
