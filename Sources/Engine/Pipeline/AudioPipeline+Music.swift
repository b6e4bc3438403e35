public import AudioGraph
public import Effects

extension AudioPipeline {
  /// Adds music: an audio source that is mixed into what a voice sends, or only into what the listener hears.
  ///
  /// Music that goes with a voice plays on while that voice is muted: with the local one it is heard here alone, with
  /// another by nobody.
  /// Throws: `.invalidArgument` when there is no such voice.
  public func addMusic(_ source: any AudioSource, volume: Volume = .unchanged, to target: MusicTarget)
    throws(EngineError)
  {
    try edit("the music cannot be added") { try sounds.add(source, volume: volume, to: target) }
  }
}
