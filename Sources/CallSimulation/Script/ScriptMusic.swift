public import Playback

/// Music that a script plays, with the settings of `MusicControls.start`.
public struct ScriptMusic: Hashable, Sendable {
  /// Path of the file.
  public var path: String
  /// Whether only the user hears the music and it is not sent.
  public var isLoopback: Bool
  /// Whether the music replaces the user's voice.
  public var replacesVoice: Bool
  /// Number of times that the music plays.
  public var repetition: Repetition
  /// Position in the file at which the music starts.
  public var start: Duration

  /// Creates music from its parts; by default it plays once and is sent.
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
