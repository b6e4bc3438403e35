#if canImport(Glibc)
  import Glibc
#endif

/// A level in decibels relative to unity gain.
public struct Decibels: Hashable, Sendable, Comparable {
  /// The level, in dB.
  public let value: Double
  /// Creates a level of `value` dB.
  public init(_ value: Double) { self.value = value }
  /// Creates the level of a factor: 20 log10(gain).
  public init(linearGain: Float) { value = 20 * log10(Double(linearGain)) }

  /// Factor that samples are multiplied by: 10^(dB / 20).
  public var linearGain: Float { Float(pow(10, value / 20)) }

  public static func < (left: Decibels, right: Decibels) -> Bool { left.value < right.value }
}
