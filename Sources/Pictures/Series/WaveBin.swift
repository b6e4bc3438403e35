import FrameObservers
import Metering

/// Samples of one channel: their range, and their power.
package struct WaveBin: EnvelopeBin, Hashable {
  package private(set) var minimum: Float
  package private(set) var maximum: Float
  private var squareSum: Double
  private var sampleCount: Int

  /// Summarizes samples, at least one. NaN counts as 0.
  package init(_ samples: UnsafePointer<Float>, count: Int) {
    var level = FrameLevel()
    level.add(samples, count: count)
    squareSum = level.squareSum
    sampleCount = count
    let first = samples[0] == samples[0] ? samples[0] : 0
    var (low, high) = (SIMD8<Float>(repeating: first), SIMD8<Float>(repeating: first))
    let raw = UnsafeRawPointer(samples)
    for group in 0..<count / 8 {
      let values = raw.loadUnaligned(fromByteOffset: 32 * group, as: SIMD8<Float>.self)
      // The comparison is false for NaN.
      low.replace(with: values, where: values .< low)
      high.replace(with: values, where: values .> high)
    }
    (minimum, maximum) = (low.min(), high.max())
    for index in count / 8 * 8..<count {
      if samples[index] < minimum { minimum = samples[index] }
      if samples[index] > maximum { maximum = samples[index] }
    }
  }

  package var rootMeanSquare: Double { (squareSum / Double(sampleCount)).squareRoot() }

  /// Greatest magnitude.
  package var peak: Float { max(maximum, -minimum) }

  package mutating func merge(_ next: WaveBin) {
    minimum = min(minimum, next.minimum)
    maximum = max(maximum, next.maximum)
    squareSum += next.squareSum
    sampleCount += next.sampleCount
  }
}
