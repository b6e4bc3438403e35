/// Aim of a pitch shift: a short delay or a clean sound.
public enum PitchShiftMode: String, Hashable, Sendable, CaseIterable {
  /// A short delay (19.5 ms at 48 kHz) at little cost: for calls.
  case lowDelay = "low-delay"
  /// A longer delay (67 ms at 48 kHz) and more work for a cleaner sound: for files and effects.
  case quality
}
