/// State of the local user's sound from a device.
public enum LocalAudioState: Int, Hashable, Sendable {
  /// Nothing is captured.
  case stopped = 0
  /// A device captures.
  case recording = 1
  /// The first captured frame has been encoded.
  case encoding = 2
  /// Sound cannot be captured or played; the `LocalAudioError` is the reason.
  case failed = 3
}
