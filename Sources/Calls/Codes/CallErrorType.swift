/// Origin of an error's code.
public enum CallErrorType: Int, Hashable, Sendable, CaseIterable {
  /// The call itself: `ChannelErrorCode.invalidArgument` or `.wrongState`.
  case normal = 0
  /// The engine: a `ChannelErrorCode`, or a `LocalAudioError` with `.startCaptureFail`.
  case rtc = 100
  /// The signalling: the code of a `SignalError`.
  case message = 110
}
