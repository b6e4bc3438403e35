import AudioGraph
import Foundation
import Resampling
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct RateConverterTests {
  static let rates = [8_000, 11_025, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000]
  static let impulsePairs =
    RatePair.all(from: rates, to: rates)
    + RatePair.all(from: [96_000, 192_000], to: [8_000, 44_100, 48_000])
    + [
      RatePair(from: 8_000, to: 192_000), RatePair(from: 44_101, to: 48_000),
      RatePair(from: 47_999, to: 8_001),
    ]

  @Test(
    "an impulse comes out at its position plus the declared delay", arguments: impulsePairs,
    ConversionQuality.allCases)
  func impulse(pair: RatePair, quality: ConversionQuality) throws {
    let position = pair.from / 10 + 7
    var input = [Float](repeating: 0, count: pair.from / 2)
    input[position] = 1
    let (output, delay) = try convertInFrames(input, pair, quality)
    let expected = Double(position) * Double(pair.to) / Double(pair.from) + Double(delay)
    #expect(abs(Double(Signals.peak(output)) - expected) <= 1, "delay \(delay)")
    // A linear-phase filter rings before the impulse, but not before the stream began.
    #expect(output[..<delay].allSatisfy { abs($0) < 0.01 })
  }

  @Test(
    "a sine in the passband keeps 100 dB", arguments: RatePair.all(from: rates, to: rates),
    ConversionQuality.allCases)
  func sineKeepsItsQuality(pair: RatePair, quality: ConversionQuality) throws {
    // 80 % of the lower rate's half: inside both passbands.
    for frequency in [997, 0.4 * Double(min(pair.from, pair.to))] {
      let input = sine(frequency, rate: pair.from, count: pair.from)
      let (output, delay) = try convertInFrames(input, pair, quality)
      let settled = (delay + pair.to / 10)..<output.count
      let ratio = signalToNoise(output, frequency, rate: pair.to, delay: delay, in: settled)
      #expect(ratio >= 100, "\(frequency) Hz: \(ratio) dB")
    }
  }

  @Test("sound above half of the new rate is reduced by 100 dB", arguments: ConversionQuality.allCases)
  func nothingIsAliased(quality: ConversionQuality) throws {
    let pair = RatePair(from: 48_000, to: 16_000)
    let (output, delay) = try convertInFrames(sine(9_500, rate: 48_000, count: 48_000), pair, quality)
    let rest = output[(delay + 1_600)...].map { abs($0) }.max() ?? 1
    #expect(20 * log10(Double(rest) / 0.5) <= -100)
  }

  @Test("each of 1 to 8 channels is converted on its own", arguments: 1...8, ConversionQuality.allCases)
  func channels(count: Int, quality: ConversionQuality) throws {
    let pair = RatePair(from: 44_100, to: 48_000)
    let input = sine(997, rate: pair.from, count: pair.from / 2, channelCount: count)
    let (output, delay) = try convertInFrames(input, pair, quality, channelCount: count)
    for channel in 0..<count {
      let range = (delay + 4_800)..<(output.count / count)
      let ratio = signalToNoise(
        output, 997, rate: pair.to, delay: delay, in: range, channelCount: count, channel: channel)
      #expect(ratio >= 100, "channel \(channel): \(ratio) dB")
    }
  }

  @Test(
    "equal rates are copied bit for bit, without delay", arguments: [1, 2, 8], ConversionQuality.allCases)
  func equalRates(channels: Int, quality: ConversionQuality) throws {
    let input = sine(997, rate: 44_100, count: 4_410, channelCount: channels)
    let (output, delay) = try convertInFrames(
      input, RatePair(from: 44_100, to: 44_100), quality, channelCount: channels)
    #expect(delay == 0)
    #expect(output == input)
  }

  @Test(
    "chunks of any size give exact counts and the same samples",
    arguments: ConversionQuality.allCases, [1, 2] as [UInt64])
  func anyChunks(quality: ConversionQuality, seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var pairs = RatePair.all(
      from: [8_000, 11_025, 44_100, 48_000, 192_000], to: [8_000, 16_000, 44_100, 48_000, 96_000])
    for _ in 0..<5 {
      pairs.append(
        RatePair(
          from: .random(in: 8_000...192_000, using: &random), to: .random(in: 8_000...192_000, using: &random)
        ))
    }
    for pair in pairs {
      let longest = Int.random(in: 1...(pair.from / 20), using: &random)
      let input = sine(997, rate: pair.from, count: pair.from)
      var converter = try RateConverter(
        from: pair.from, to: pair.to, channelCount: 1, quality: quality, maximumInputCount: longest)
      var output = [Float](repeating: .nan, count: pair.to + 1)
      var (taken, given) = (0, 0)
      while taken < input.count {
        let count = min(Int.random(in: 0...longest, using: &random), input.count - taken)
        given += input.withUnsafeBufferPointer { source in
          output.withUnsafeMutableBufferPointer { target in
            converter.process(
              source.baseAddress! + taken, inputCount: count, output: target.baseAddress! + given)
          }
        }
        taken += count
        guard given == taken * pair.to / pair.from else {
          Issue.record("seed \(seed), \(pair): \(given) samples for \(taken)")
          break
        }
      }
      #expect(converter.insertedCount == 0, "seed \(seed), \(pair)")
      let range = (converter.delay + pair.to / 10)..<given
      let ratio = signalToNoise(output, 997, rate: pair.to, delay: converter.delay, in: range)
      #expect(ratio >= 100, "seed \(seed), \(pair): \(ratio) dB")
    }
  }

  @Test("a reset converter repeats a new converter's output bit for bit", arguments: ConversionQuality.allCases)
  func reset(quality: ConversionQuality) throws {
    for pair in [RatePair(from: 11_025, to: 48_000), RatePair(from: 48_000, to: 44_100)] {
      let input = sine(440, rate: pair.from, count: pair.from / 2)
      var converter = try RateConverter(
        from: pair.from, to: pair.to, channelCount: 1, quality: quality, maximumInputCount: input.count)
      var outputs: [[Float]] = []
      for _ in 0..<2 {
        var output = [Float](repeating: .nan, count: pair.to / 2 + 1)
        let count = converter.process(input, inputCount: input.count, output: &output)
        outputs.append(Array(output[..<count]))
        try converter.reset()
      }
      #expect(outputs[0] == outputs[1])
      #expect(outputs[0].contains { abs($0) > 0.4 })
    }
  }

  @Test("rates and channel counts out of range are refused by name")
  func refusals() {
    func make(_ from: Int, _ to: Int, _ channels: Int) throws(ResamplingError) {
      _ = try RateConverter(
        from: from, to: to, channelCount: channels, quality: .lowDelay, maximumInputCount: 480)
    }
    #expect(throws: ResamplingError.unsupportedRates(from: 7_999, to: 48_000)) { try make(7_999, 48_000, 1) }
    #expect(throws: ResamplingError.unsupportedRates(from: 48_000, to: 192_001)) {
      try make(48_000, 192_001, 1)
    }
    #expect(throws: ResamplingError.unsupportedChannelCount(0)) { try make(48_000, 16_000, 0) }
    #expect(throws: ResamplingError.unsupportedChannelCount(9)) { try make(48_000, 16_000, 9) }
    #expect("\(ResamplingError.unsupportedRates(from: 1, to: 2))".contains("1 Hz to 2 Hz"))
  }
}
