import Glibc

/// Random numbers that are the same in every run and on every machine.
///
/// Source: Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014 (SplitMix64).
public struct CorpusRandom: RandomNumberGenerator {
  private var state: UInt64

  /// Every seed gives a stream of its own.
  public init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 &+ 0x1234_5678_9ABC_DEF1 }

  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var bits = state
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    return bits ^ (bits >> 31)
  }

  /// Evenly distributed.
  public mutating func uniform(_ low: Double, _ high: Double) -> Double {
    low + (high - low) * Double(next() >> 11) * 0x1p-53
  }

  /// Mean 0, deviation 1: the sum of four values is near enough to Gauss's curve for noise, and cheap.
  public mutating func noise() -> Double {
    let bits = next()
    let sum =
      Int(bits & 0xFFFF) &+ Int((bits >> 16) & 0xFFFF) &+ Int((bits >> 32) & 0xFFFF) &+ Int((bits >> 48) & 0xFFFF)
    return (Double(sum) * 0x1p-16 - 2) * 1.732_050_8
  }
}
