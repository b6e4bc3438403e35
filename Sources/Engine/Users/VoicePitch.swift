public import Effects

/// How the pitch of a voice is changed on the way to RECORD.
public struct VoicePitch: Hashable, Sendable {
  /// By how much.
  public var ratio: PitchRatio
  /// What the shift is to be good at, and with it the delay that it adds.
  public var mode: PitchShiftMode
  /// Whether the resonances of the mouth stay, so that the voice is another one's pitch and not another one's size.
  public var keepsFormants: Bool

  /// A change of pitch from its parts.
  public init(_ ratio: PitchRatio, mode: PitchShiftMode = .lowDelay, keepsFormants: Bool = false) {
    self.ratio = ratio
    self.mode = mode
    self.keepsFormants = keepsFormants
  }
}
