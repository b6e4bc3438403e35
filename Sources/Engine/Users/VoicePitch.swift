public import Effects

/// A change of a voice's pitch on the path to RECORD.
public struct VoicePitch: Hashable, Sendable {
  /// Factor of the pitch.
  public var ratio: PitchRatio
  /// Quality of the shift, and with it the delay that it adds.
  public var mode: PitchShiftMode
  /// Whether the resonances of the mouth stay, so that the voice has another pitch, but does not sound like a person of
  /// another size.
  public var keepsFormants: Bool

  /// Creates a change of pitch.
  public init(_ ratio: PitchRatio, mode: PitchShiftMode = .lowDelay, keepsFormants: Bool = false) {
    self.ratio = ratio
    self.mode = mode
    self.keepsFormants = keepsFormants
  }
}
