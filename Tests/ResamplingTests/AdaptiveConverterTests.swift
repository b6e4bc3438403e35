import Foundation
import TestSupport
import Testing

@testable import Resampling

/// Live conversion at a ratio that moves, and copying while the clocks agree.
@Suite(.timeLimit(.minutes(1))) struct AdaptiveConverterTests {
  /// Converts frames of 480 samples; `ratio` decides the ratio of each.
  private func convert(
    _ input: [Float], channelCount: Int = 1, quality: SincQuality = .high, frame: Int = 480,
    ratio: (Int, borrowing AdaptiveConverter) -> Double
  ) throws -> [Float] {
    var converter = try AdaptiveConverter(channelCount: channelCount, quality: quality)
    var output: [Float] = []
    var buffer = [Float](repeating: 0, count: 4 * frame * channelCount)
    for index in 0..<input.count / channelCount / frame {
      converter.setRatio(ratio(index, converter))
      var taken = 0
      while taken < frame {
        let result = input.withUnsafeBufferPointer {
          converter.convert(
            $0.baseAddress! + (index * frame + taken) * channelCount, inputCount: frame - taken, output: &buffer,
            capacity: 4 * frame)
        }
        output += buffer[..<(result.given * channelCount)]
        taken += result.taken
        if result.taken == 0, result.given == 0 { break }
      }
    }
    return output
  }

  private func tone(_ hertz: Double, count: Int) -> [Float] {
    (0..<count).map { Float(0.5 * sin(2 * Double.pi * hertz * Double($0) / 48_000)) }
  }

  @Test("clocks that agree give the input bit for bit", arguments: [1, 2, 8], [1, 7, 480])
  func copying(channelCount: Int, frame: Int) throws {
    var random = SeededGenerator(seed: 1)
    let input = (0..<4_800 * channelCount).map { _ in Float.random(in: -1...1, using: &random) }
    let output = try convert(input, channelCount: channelCount, frame: frame) { _, _ in 1 }
    #expect(output.count > input.count - 100 * channelCount)
    #expect(output[...] == input[..<output.count])
  }

  @Test("a copied sample comes as late as a filtered one", arguments: [SincQuality.fast, .high])
  func delay(_ quality: SincQuality) throws {
    let input = tone(997, count: 48_000)
    let copied = try convert(input, quality: quality) { _, _ in 1 }
    // A ratio beside 1 is never copied. In one second, 10 ppm are half a sample.
    let filtered = try convert(input, quality: quality) { _, _ in 1 + 1e-5 }
    #expect(abs(copied.count - filtered.count) <= 1)
  }

  @Test(
    "a tone continues when filtering and copying alternate",
    arguments: [SincQuality.fast, .high], [3e-6, -7e-6, 2e-5, -2e-5])
  func turns(_ quality: SincQuality, deviation: Double) throws {
    let (hertz, seconds) = (997.0, 8)
    var isCopied: [Bool] = []
    let output = try convert(tone(hertz, count: seconds * 48_000), quality: quality) { index, converter in
      // A second of filter, two seconds to settle and to copy.
      if index % 300 < 100 { return 1 + deviation }
      let ratio = 1 / converter.restingStep(count: 480)
      isCopied.append(ratio == 1)
      return ratio
    }
    #expect(isCopied.count { $0 } > 200, "settled for \(isCopied.count { $0 }) of \(isCopied.count) frames")
    // A pure tone of constant frequency obeys x[n + 1] + x[n - 1] = 2 cos(w) x[n]; a step breaks it.
    let factor = 2 * cos(2 * Double.pi * hertz / 48_000)
    let worst = (200..<output.count - 1).map {
      abs(Double(output[$0 + 1]) + Double(output[$0 - 1]) - factor * Double(output[$0]))
    }.max()!
    // Half of a step of 20 ppm in frequency is 1e-6; the filter's own noise is -100 dB.
    #expect(worst < (quality == .fast ? 4e-5 : 1e-5), "\(worst)")
  }

  @Test("the filter can take over before the first output", arguments: [1, 10, 45, 46, 47, 60])
  func earlyTurn(first: Int) throws {
    var converter = try AdaptiveConverter(channelCount: 1, quality: .high)
    let input = tone(440, count: 2_000)
    var output: [Float] = []
    var buffer = [Float](repeating: 0, count: 4_000)
    for (start, count, ratio) in [(0, first, 1.0), (first, 2_000 - first, 1 + 1e-7)] {
      converter.setRatio(ratio)
      let result = input.withUnsafeBufferPointer {
        converter.convert($0.baseAddress! + start, inputCount: count, output: &buffer, capacity: 4_000)
      }
      #expect(result.taken == count)
      output += buffer[..<result.given]
    }
    #expect(abs(output.count - (2_000 - converter.lookAhead)) <= 1)
    // The filter needs a tone on both sides.
    for index in 100..<output.count { #expect(abs(output[index] - input[index]) < 1e-4, "sample \(index)") }
  }

  @Test("after a reset, the next output is the first sample of the next input")
  func reset() throws {
    var converter = try AdaptiveConverter(channelCount: 1, quality: .high)
    var buffer = [Float](repeating: 0, count: 2_000)
    let input = tone(440, count: 960)
    _ = converter.convert(input, inputCount: 480, output: &buffer, capacity: 2_000)
    converter.reset()
    let (taken, given) = converter.convert(input, inputCount: 960, output: &buffer, capacity: 2_000)
    #expect(taken == 960 && given == 960 - converter.lookAhead)
    #expect(buffer[..<given] == input[..<given])
  }
}
