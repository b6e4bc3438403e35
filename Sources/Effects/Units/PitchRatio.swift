#if canImport(Glibc)
  import Glibc
#endif

/// A ratio of pitches: 0.5 is an octave down, 1 leaves the pitch as it is, 2 is an octave up.
public struct PitchRatio: Hashable, Sendable, Comparable {
  /// Possible ratios.
  public static let range = 0.5...2.0
  /// Possible distances, in semitones.
  public static let semitoneRange = -12.0...12.0
  /// Ratio that leaves the pitch as it is.
  public static let unchanged = PitchRatio(unchecked: 1)

  /// Output frequency divided by input frequency.
  public let value: Double

  /// Creates a ratio.
  ///
  /// - Throws: `EffectParameterError.pitchRatio` if `value` is not in `range`.
  public init(_ value: Double) throws(EffectParameterError) {
    guard Self.range.contains(value) else { throw .pitchRatio(value) }
    self.value = value
  }

  /// Creates the ratio of a distance in semitones: 2^(semitones / 12).
  ///
  /// - Throws: `EffectParameterError.semitones` if `semitones` is not in `semitoneRange`.
  public init(semitones: Double) throws(EffectParameterError) {
    guard Self.semitoneRange.contains(semitones) else { throw .semitones(semitones) }
    value = exp2(semitones / 12)
  }

  private init(unchecked value: Double) { self.value = value }

  /// Distance in semitones: 12 log2(ratio).
  public var semitones: Double { 12 * log2(value) }

  public static func < (left: PitchRatio, right: PitchRatio) -> Bool { left.value < right.value }
}
