#if canImport(Glibc)
  import Glibc
#endif

/// By how much a pitch is changed: 0.5 is an octave down, 1 leaves it, 2 is an octave up.
public struct PitchRatio: Hashable, Sendable, Comparable {
  /// What a ratio may be.
  public static let range = 0.5...2.0
  /// What a distance may be, in semitones.
  public static let semitoneRange = -12.0...12.0
  /// The pitch stays as it is.
  public static let unchanged = PitchRatio(unchecked: 1)

  /// The frequency that comes out over the one that goes in.
  public let value: Double

  /// Throws: `EffectParameterError.pitchRatio` when `value` is not in `range`.
  public init(_ value: Double) throws(EffectParameterError) {
    guard Self.range.contains(value) else { throw .pitchRatio(value) }
    self.value = value
  }

  /// The ratio of a distance in semitones: 2^(semitones / 12).
  ///
  /// Throws: `EffectParameterError.semitones` when `semitones` is not in `semitoneRange`.
  public init(semitones: Double) throws(EffectParameterError) {
    guard Self.semitoneRange.contains(semitones) else { throw .semitones(semitones) }
    value = exp2(semitones / 12)
  }

  private init(unchecked value: Double) { self.value = value }

  /// The distance in semitones: 12 log2(ratio).
  public var semitones: Double { 12 * log2(value) }

  public static func < (left: PitchRatio, right: PitchRatio) -> Bool { left.value < right.value }
}
