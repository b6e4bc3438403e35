import AudioGraph
import Foundation
import Resampling
import TestSupport
import Testing

/// From a graph to an observer's rate and back.
@Suite(.timeLimit(.minutes(10))) struct ReturnPathTests {
  static let pairs = RatePair.all(
    from: [8_000, 11_025, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000, 96_000],
    to: [8_000, 16_000, 24_000, 32_000, 44_100, 48_000], equal: true)

  /// Sends `input` out and back frame by frame, in blocks where asked; returns the output and the declared delay.
  func roundTrip(
    _ input: [Float], _ pair: RatePair, _ quality: ConversionQuality, samplesPerBlock: Int?,
    firstFrame: Int = 0
  ) throws -> (output: [Float], delay: Double) {
    let schedule = FrameSchedule(sampleRate: pair.from)
    let longest = schedule.maximumSamplesPerChannel
    var out = try RateConverter(
      from: pair.from, to: pair.to, channelCount: 1, quality: quality, maximumInputCount: longest,
      wholeInputDelay: true)
    let given = longest * pair.to / pair.from + 1
    var reframer = Reframer(samplesPerBlock: samplesPerBlock ?? 1, channelCount: 1, maximumInputCount: given)
    var back = try RateConverter(
      from: pair.to, to: pair.from, channelCount: 1, quality: quality,
      maximumInputCount: max(given, samplesPerBlock ?? 0),
      lead: RateConverter.returnLead(
        graphRate: pair.from, observerRate: pair.to, samplesPerBlock: samplesPerBlock))
    var output = [Float](repeating: .nan, count: input.count)
    var observed = [Float](repeating: 0, count: given)
    let start = schedule.position(ofFrame: firstFrame)
    var (frame, total) = (firstFrame, 0)
    while schedule.position(ofFrame: frame + 1) - start <= input.count {
      let count = schedule.samplesPerChannel(ofFrame: frame)
      input.withUnsafeBufferPointer { source in
        let seen = out.process(source.baseAddress! + total, inputCount: count, output: &observed)
        if samplesPerBlock == nil {
          back.push(observed, inputCount: seen)
        } else {
          reframer.push(observed, inputCount: seen)
          while let block = reframer.next() { back.push(block, inputCount: reframer.samplesPerBlock) }
        }
      }
      output.withUnsafeMutableBufferPointer { back.pull(into: $0.baseAddress! + total, outputCount: count) }
      total += count
      frame += 1
    }
    #expect(out.insertedCount == 0 && back.insertedCount == 0)
    #expect(out.delay * pair.from % pair.to == 0)
    return (Array(output[..<total]), Double(out.delay * pair.from) / Double(pair.to) + Double(back.delay))
  }

  @Test("every frame gets its exact count back, delayed by all delays together", arguments: pairs)
  func everyRate(pair: RatePair) throws {
    let cases: [(ConversionQuality, firstFrame: Int, block: Int?)] = [
      (.lowDelay, 0, nil), (.lowDelay, 1, nil), (.lowDelay, 0, 1_024), (.lowDelay, 7, pair.to / 100),
      (.lowCost, 1, nil), (.lowCost, 0, pair.to / 2),
    ]
    for (quality, firstFrame, block) in cases {
      let position = pair.from / 5 + 3
      let length = quality == .lowCost ? pair.from * 3 / 2 : pair.from / 2
      var input = [Float](repeating: 0, count: length)
      input[position] = 1
      let (output, delay) = try roundTrip(
        input, pair, quality, samplesPerBlock: block, firstFrame: firstFrame)
      let found = Double(Signals.peak(output) - position)
      #expect(abs(found - delay) <= 1, "\(quality), blocks of \(block ?? 0): \(found) instead of \(delay)")
    }
  }

  @Test(
    "a signal that went out and back cancels the original by 90 dB",
    arguments: pairs.filter { $0.from != $0.to })
  func cancels(pair: RatePair) throws {
    let input = sine(997, rate: pair.from, count: pair.from)
    let (output, delay) = try roundTrip(input, pair, .lowDelay, samplesPerBlock: nil)
    let ratio = signalToNoise(
      output, 997, rate: pair.from, delay: Int(delay), in: (Int(delay) + pair.from / 10)..<output.count)
    #expect(ratio >= 90, "\(ratio) dB")
  }

  @Test("frames without a remainder need no lead, others the least that holds")
  func lead() {
    #expect(RateConverter.returnLead(graphRate: 48_000, observerRate: 16_000) == 0)
    #expect(RateConverter.returnLead(graphRate: 44_100, observerRate: 48_000) == 0)
    #expect(RateConverter.returnLead(graphRate: 48_000, observerRate: 48_000, samplesPerBlock: 480) == 0)
    #expect(RateConverter.returnLead(graphRate: 48_000, observerRate: 48_000, samplesPerBlock: 960) == 480)
    #expect(
      RateConverter.returnLead(graphRate: 48_000, observerRate: 16_000, samplesPerBlock: 1_024) == 2_976)
    for (graph, observer, block) in [(48_000, 44_100, 1_024), (22_050, 48_000, 480), (11_025, 8_000, 441)] {
      // The naive count, over whole cycles of frames and blocks.
      let schedule = FrameSchedule(sampleRate: graph)
      let missing = (0..<100 * block).map { frame in
        let position = schedule.position(ofFrame: frame)
        let whole = position * observer / graph / block * block
        return position - whole * graph / observer
      }
      let lead = RateConverter.returnLead(graphRate: graph, observerRate: observer, samplesPerBlock: block)
      #expect(lead >= missing.max()! && lead <= missing.max()! + graph / observer + 2)
    }
  }
}
