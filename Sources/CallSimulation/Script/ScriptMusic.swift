public import Playback

/// Music that a script plays, as `MusicControls.start` takes it.
public struct ScriptMusic: Hashable, Sendable {
  /// The file.
  public var path: String
  /// Heard by the user alone, not sent.
  public var isLoopback: Bool
  /// Whether it takes the place of the user's voice.
  public var replacesVoice: Bool
  /// How often it is played.
  public var repetition: Repetition
  /// Where in the file it begins.
  public var start: Duration

  /// Music that is played once and sent along.
  public init(
    path: String, isLoopback: Bool = false, replacesVoice: Bool = false, repetition: Repetition = .once,
    start: Duration = .zero
  ) {
    self.path = path
    self.isLoopback = isLoopback
    self.replacesVoice = replacesVoice
    self.repetition = repetition
    self.start = start
  }
}
