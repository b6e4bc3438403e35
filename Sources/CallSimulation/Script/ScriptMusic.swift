/// Music that a script plays, as `AudioPipeline.startAudioMixing` takes it.
public struct ScriptMusic: Hashable, Sendable {
  /// The file.
  public var path: String
  /// Heard by the user alone, not sent.
  public var isLoopback: Bool
  /// Whether it takes the place of the user's voice.
  public var replacesVoice: Bool
  /// How often it is played; -1 for ever.
  public var cycleCount: Int
  /// Where in the file it begins.
  public var startMilliseconds: Int

  /// Music that is played once and sent along.
  public init(
    path: String, isLoopback: Bool = false, replacesVoice: Bool = false, cycleCount: Int = 1, startMilliseconds: Int = 0
  ) {
    self.path = path
    self.isLoopback = isLoopback
    self.replacesVoice = replacesVoice
    self.cycleCount = cycleCount
    self.startMilliseconds = startMilliseconds
  }
}
