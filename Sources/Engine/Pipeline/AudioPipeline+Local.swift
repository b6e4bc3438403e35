public import AudioGraph
public import Effects
import FrameObservers

extension AudioPipeline {
  /// Gives the listener its own voice, which is in RECORD and MIXED but not in PLAYBACK.
  ///
  /// - Parameters:
  ///   - source: Source of the voice.
  ///   - volume: Level at which the voice is sent.
  ///   - pitch: Change of the voice's pitch, including its delay; nil: no change.
  ///   - sentChannelCount: Channels of the sent sound: the source's (nil), or 2 for a mono voice with music and effects
  ///     that are stereo or panned.
  /// - Throws: `.wrongState` if there is one already (`local.replaceSource`, `local.remove`), `.invalidArgument` for
  ///   another count of channels.
  public func setLocalSource(
    _ source: any AudioSource, volume: Volume = .unchanged, pitch: VoicePitch? = nil, sentChannelCount: Int? = nil
  ) throws(EngineError) {
    try edit("the local source cannot be set") {
      try userStates.setLocalSource(source, volume: volume, pitch: pitch, sentChannelCount: sentChannelCount)
    }
  }
}
