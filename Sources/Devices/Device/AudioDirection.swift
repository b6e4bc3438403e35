/// Direction of sound through a device.
public enum AudioDirection: Hashable, Sendable, CaseIterable {
  /// From a microphone or a line input.
  case capture
  /// To a loudspeaker or headphones.
  case playout
}
