/// Media of a call.
public enum CallType: Int, Hashable, Sendable, CaseIterable {
  /// Video; calls of this type are refused.
  case video = 0
  /// Audio.
  case audio = 1
}
