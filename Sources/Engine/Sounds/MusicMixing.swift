import AudioFiles
import Effects
import Playback

/// The music of `startAudioMixing`: what plays, and the levels that were asked for.
struct MusicMixing {
  /// The music that plays or is paused.
  struct Current {
    let chain: SoundChain
    let track: MusicTrack
    let isPublished: Bool
    /// Where in the pipeline's time it was started; what it comes to is not earlier.
    let begin: Int
    /// Whether it has been told that it plays: with its first sample, or before anything else that becomes of it.
    var isStartTold = false
  }

  var current: Current?
  var playoutVolume = Volume.unchanged
  var publishVolume = Volume.unchanged
  /// Where in the pipeline's time music was started last.
  var lastStart: Int?
  /// Why what was played last could not be read to its end.
  var failure: AudioFileError?

  func level(isPublished: Bool) -> Volume { isPublished ? publishVolume : playoutVolume }
}
