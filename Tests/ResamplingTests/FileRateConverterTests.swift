import AudioGraph
import Foundation
import Resampling
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct FileRateConverterTests {
  static let rates = [8_000, 11_025, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000]

  /// Converts all of `input` in blocks, with room for `capacity` samples a call.
  func convert(_ input: [Float], _ pair: RatePair, channels: Int, block: Int, capacity: Int) throws -> [Float] {
    var converter = try FileRateConverter(from: pair.from, to: pair.to, channelCount: channels)
    var room = [Float](repeating: .nan, count: capacity * channels)
    var output: [Float] = []
    let total = input.count / channels
    var taken = 0
    while taken < total {
      let count = min(block, total - taken)
      let given = input.withUnsafeBufferPointer {
        converter.process(
          $0.baseAddress! + taken * channels, inputCount: count, into: &room, capacity: capacity)
      }
      output += room[..<(given * channels)]
      taken += count
      #expect(converter.outputTotal <= taken * pair.to / pair.from)
    }
    while true {
      let given = converter.finish(into: &room, capacity: capacity)
      if given == 0 { break }
      output += room[..<(given * channels)]
    }
    #expect(converter.inputTotal == total && converter.outputTotal == output.count / channels)
    return output
  }

  @Test(
    "the output has floor(in x out / in rate) samples, aligned to 120 dB",
    arguments: RatePair.all(from: rates, to: rates) + [RatePair(from: 192_000, to: 44_100)])
  func exactAndAligned(pair: RatePair) throws {
    let count = pair.from + 1_237
    let input = sine(997, rate: pair.from, count: count)
    let output = try convert(input, pair, channels: 1, block: 32_768, capacity: 40_000)
    #expect(output.count == count * pair.to / pair.from)
    // The ends ring, since a sine that begins and ends is not band-limited.
    let inside = (pair.to / 10)..<(output.count - pair.to / 10)
    let ratio = signalToNoise(output, 997, rate: pair.to, delay: 0, in: inside)
    #expect(ratio >= 120, "\(ratio) dB")
  }

  @Test(
    "an impulse keeps its place, from the first sample to the last",
    arguments: RatePair.all(from: rates, to: rates))
  func impulse(pair: RatePair) throws {
    for position in [0, 1, 5_000, 9_999] {
      var input = [Float](repeating: 0, count: 10_000)
      input[position] = 1
      let output = try convert(input, pair, channels: 1, block: 4_096, capacity: 4_096)
      #expect(output.count == 10_000 * pair.to / pair.from)
      // The last peak may lie just behind the last sample.
      let expected = min(Double(position) * Double(pair.to) / Double(pair.from), Double(output.count - 1))
      #expect(abs(Double(Signals.peak(output)) - expected) <= 1, "from \(position)")
    }
  }

  @Test("block sizes and capacity change no sample", arguments: [1, 2, 8])
  func blocks(channels: Int) throws {
    let pair = RatePair(from: 44_100, to: 48_000)
    let input = sine(997, rate: pair.from, count: 30_011, channelCount: channels)
    let whole = try convert(input, pair, channels: channels, block: 30_011, capacity: 40_000)
    for (block, capacity) in [(441, 500), (1, 3), (10_000, 100), (32_768, 65_536)] {
      #expect(try convert(input, pair, channels: channels, block: block, capacity: capacity) == whole)
    }
  }

  @Test("equal rates are copied bit for bit, whatever the capacity", arguments: [1, 2])
  func equalRates(channels: Int) throws {
    let input = sine(997, rate: 22_050, count: 5_003, channelCount: channels)
    for capacity in [1, 100, 10_000] {
      let pair = RatePair(from: 22_050, to: 22_050)
      #expect(try convert(input, pair, channels: channels, block: 441, capacity: capacity) == input)
    }
  }

  @Test(
    "shorter than the filter, or empty: still exactly floor(in x L / M)", arguments: [0, 1, 2, 3, 10, 100])
  func short(count: Int) throws {
    for pair in RatePair.all(from: Self.rates, to: Self.rates, equal: true) {
      let input = [Float](repeating: 0.5, count: count)
      #expect(
        try convert(input, pair, channels: 1, block: 64, capacity: 64).count == count * pair.to / pair.from)
    }
  }

  @Test("rates and channel counts out of range are refused by name")
  func refusals() {
    #expect(throws: ResamplingError.unsupportedRates(from: 0, to: 48_000)) {
      _ = try FileRateConverter(from: 0, to: 48_000, channelCount: 1)
    }
    #expect(throws: ResamplingError.unsupportedChannelCount(9)) {
      _ = try FileRateConverter(from: 44_100, to: 48_000, channelCount: 9)
    }
  }
}
