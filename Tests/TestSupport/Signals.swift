import Glibc

/// Test signals.
package enum Signals {
  package static let rates = [8_000, 16_000, 44_100, 48_000]

  /// `cyclesPerSample` is the frequency over the sample rate.
  package static func sine(
    count: Int, cyclesPerSample: Double, amplitude: Double = 1, phase: Double = 0
  ) -> [Float] {
    (0..<count).map { Float(amplitude * sin(2 * Double.pi * cyclesPerSample * Double($0) + phase)) }
  }

  /// Even noise in -amplitude...amplitude.
  package static func noise(count: Int, amplitude: Float, seed: UInt64) -> [Float] {
    var generator = SeededGenerator(seed: seed)
    return (0..<count).map { _ in Float.random(in: -amplitude...amplitude, using: &generator) }
  }

  /// The largest difference of two neighbours.
  package static func largestStep(_ samples: some Collection<Float>) -> Float {
    let samples = Array(samples)
    var largest: Float = 0
    for index in samples.indices.dropFirst() { largest = max(largest, abs(samples[index] - samples[index - 1])) }
    return largest
  }

  /// The index of the largest magnitude.
  package static func peak(_ samples: [Float]) -> Int {
    samples.indices.max { samples[$0].magnitude < samples[$1].magnitude } ?? -1
  }

  /// The index of the largest magnitude.
  package static func peak(_ samples: [Int16]) -> Int {
    samples.indices.max { samples[$0].magnitude < samples[$1].magnitude } ?? -1
  }

  package static func delayed(_ channels: [[Float]], by samples: Int, count: Int) -> [[Float]] {
    channels.map { channel in
      (0..<count).map { $0 < samples || $0 - samples >= channel.count ? 0 : channel[$0 - samples] }
    }
  }
}

extension Array where Element == [Float] {
  package var bitPatterns: [[UInt32]] { map { $0.map(\.bitPattern) } }
}
