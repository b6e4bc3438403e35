import TestSupport

/// A voice that all tests of receivers share: to make one takes long without optimisation.
enum TestVoice {
  /// Four seconds, mono.
  static let samples = VoiceLikeSignal.make(seconds: 4)
}
