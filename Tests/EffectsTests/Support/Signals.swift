import Glibc

/// Test signals.
enum Signals {
  static let rates = [8_000, 16_000, 44_100, 48_000]

  /// `cyclesPerSample` is the frequency over the sample rate.
  static func sine(
    count: Int, cyclesPerSample: Double, amplitude: Double = 1, phase: Double = 0
  ) -> [Float] {
    (0..<count).map { Float(amplitude * sin(2 * Double.pi * cyclesPerSample * Double($0) + phase)) }
  }

  /// Even noise in -amplitude...amplitude.
  static func noise(count: Int, amplitude: Float, seed: UInt64) -> [Float] {
    var generator = SplitMix64(state: seed)
    return (0..<count).map { _ in Float.random(in: -amplitude...amplitude, using: &generator) }
  }

  static func delayed(_ channels: [[Float]], by samples: Int, count: Int) -> [[Float]] {
    channels.map { channel in
      (0..<count).map { $0 < samples || $0 - samples >= channel.count ? 0 : channel[$0 - samples] }
    }
  }
}

/// A generator that repeats (Steele, Lea, Flood 2014).
struct SplitMix64: RandomNumberGenerator {
  var state: UInt64
  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}

extension Array where Element == [Float] {
  var bitPatterns: [[UInt32]] { map { $0.map(\.bitPattern) } }
}
