/// A volume in percent: 0 is silence, 100 leaves the sound unchanged, 400 makes it four times as large.
public struct Volume: Hashable, Sendable, Comparable {
  /// What a signal's volume may be.
  public static let range = 0.0...400.0
  /// What the volume of one among several may be: never louder than it is.
  public static let attenuationRange = 0.0...100.0
  /// The sound stays as it is.
  public static let unchanged = Volume(unchecked: 100)

  /// Nothing is heard.
  public static let silence = Volume(unchecked: 0)

  /// The volume, in percent.
  public let percent: Double

  /// Throws: `EffectParameterError.volume` when `percent` is not in `range`.
  public init(_ percent: Double, in range: ClosedRange<Double> = Volume.range) throws(EffectParameterError) {
    guard range.contains(percent) else { throw .volume(percent, allowed: range) }
    self.percent = percent
  }

  private init(unchecked percent: Double) { self.percent = percent }

  /// The factor that a sample is multiplied with; exactly 1 at 100.
  public var linearGain: Float { Float(percent / 100) }

  public static func < (left: Volume, right: Volume) -> Bool { left.percent < right.percent }
}
