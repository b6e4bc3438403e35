/// Kind of an error during calls, with the numbers of a commercial call interface. 200 was withdrawn there, and never
/// comes.
public enum CallErrorEvent: Int, Hashable, Sendable, CaseIterable {
  /// Without an error; never comes.
  case normal = 0
  /// The room has an error: the code is that of a `ChannelErrorCode`.
  case rtcOccurError = 100
  /// The capture device cannot be used: the code is that of a `LocalAudioError`.
  case startCaptureFail = 110
  /// A message was not acknowledged: the code is that of a `SignalError`.
  case sendMessageFail = 210
}
