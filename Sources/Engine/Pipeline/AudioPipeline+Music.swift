public import AudioGraph
public import Effects

extension AudioPipeline {
  /// Adds music: an audio source that is mixed into the sound that a voice sends, or only into the sound that the
  /// listener hears.
  ///
  /// Music that goes with a voice continues while that voice is muted. The music of the local voice is then heard only
  /// here, and the music of another voice by nobody.
  ///
  /// - Throws: `.notReady` without a local voice, `.invalidArgument` for a user that is not a speaker.
  public func addMusic(_ source: any AudioSource, volume: Volume = .unchanged, to target: MusicTarget)
    throws(EngineError)
  {
    try edit("the music cannot be added") { try sounds.add(source, volume: volume, to: target) }
  }
}
