import Foundation
import Metering
import TestSupport
import Testing

@Suite("Level of a frame", .timeLimit(.minutes(10)))
struct FrameLevelTests {
  private func measure(_ samples: [Float]) -> FrameLevel {
    var level = FrameLevel()
    level.add(samples, count: samples.count)
    return level
  }

  @Test("squares, peak and clipped samples equal those of a plain loop", arguments: 0...40)
  func plainLoop(extra: Int) {
    var generator = SeededGenerator(seed: UInt64(extra) + 1)
    for count in [extra, 440 + extra] {
      let samples = (0..<count).map { _ in Float.random(in: -1.02...1.02, using: &generator) }
      let level = measure(samples)
      var (squares, peak, clipped) = (0.0, Float(0), 0)
      for sample in samples {
        squares += Double(sample) * Double(sample)
        peak = max(peak, abs(sample))
        clipped += abs(sample) >= 32_767.0 / 32_768.0 ? 1 : 0
      }
      #expect(abs(level.squareSum - squares) <= 1e-6 * squares, "seed \(extra + 1)")
      #expect(level.peak == peak && level.clippedCount == clipped && level.sampleCount == count)
    }
  }

  @Test("each place of a vector counts, negative or positive")
  func places() {
    for index in 0..<50 {
      for height in [Float(0.5), -0.5] {
        var samples = [Float](repeating: 0, count: 50)
        samples[index] = height
        let level = measure(samples)
        #expect(level.peak == 0.5 && level.squareSum == 0.25)
      }
    }
  }

  @Test("16-bit samples at the ends of the range are clipped, others are not")
  func clipping() {
    #expect(measure([1, -1, 32_767 / 32_768, -32_767 / 32_768]).clippedCount == 4)
    #expect(measure([32_766 / 32_768, -32_766 / 32_768, 0]).clippedCount == 0)
  }

  @Test("numbers beyond any sound give no infinity, and NaN counts as nothing")
  func wildNumbers() {
    let huge = measure([Float](repeating: 3e38, count: 20))
    #expect(abs(huge.squareSum / (20 * 9e76) - 1) < 1e-6)
    for index in 0..<40 {
      var samples = [Float](repeating: 0.5, count: 40)
      samples[index] = .nan
      let level = measure(samples)
      #expect(level.squareSum == 39 * 0.25 && level.peak == 0.5)
    }
  }
}
