public import AudioGraph
public import Effects
import FrameObservers

extension AudioPipeline {
  /// Gives the listener a voice of its own, which is in RECORD and MIXED but not in PLAYBACK.
  ///
  /// - Parameters:
  ///   - pitch: what is done to the voice's pitch, its delay included; nil for nothing.
  ///   - sentChannelCount: channels of what is sent: the source's (nil), or 2 for a mono voice whose music and effects
  ///     are stereo or have a place.
  /// - Throws: `.wrongState` when there is one already, `.invalidArgument` for another count of channels.
  public func setLocalSource(
    _ source: any AudioSource, volume: Volume = .unchanged, pitch: VoicePitch? = nil, sentChannelCount: Int? = nil
  ) throws(EngineError) {
    try edit("the local source cannot be set") {
      try userStates.setLocalSource(source, volume: volume, pitch: pitch, sentChannelCount: sentChannelCount)
    }
  }
}
