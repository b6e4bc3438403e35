/// A volume in percent: 0 is silence, 100 leaves the sound unchanged, 400 makes it four times as large.
public struct Volume: Hashable, Sendable, Comparable {
  /// Possible volumes of a signal, in percent.
  public static let range = 0.0...400.0
  /// Possible volumes of one signal among several, in percent: never louder than the signal itself.
  public static let attenuationRange = 0.0...100.0
  /// Volume that leaves the sound as it is.
  public static let unchanged = Volume(unchecked: 100)

  /// Volume at which nothing is heard.
  public static let silence = Volume(unchecked: 0)

  /// The volume, in percent.
  public let percent: Double

  /// Creates a volume.
  ///
  /// - Parameters:
  ///   - percent: Volume, in percent.
  ///   - range: Possible volumes, in percent.
  /// - Throws: `EffectParameterError.volume` if `percent` is not in `range`.
  public init(_ percent: Double, in range: ClosedRange<Double> = Volume.range) throws(EffectParameterError) {
    guard range.contains(percent) else { throw .volume(percent, allowed: range) }
    self.percent = percent
  }

  private init(unchecked percent: Double) { self.percent = percent }

  /// Factor that samples are multiplied by; exactly 1 at 100.
  public var linearGain: Float { Float(percent / 100) }

  public static func < (left: Volume, right: Volume) -> Bool { left.percent < right.percent }
}
