import AudioFiles
import Effects
import Playback

/// The music of `startAudioMixing`: the music that plays, and the requested levels.
struct MusicMixing {
  /// The music that plays or is paused.
  struct Current {
    let chain: SoundChain
    let track: MusicTrack
    let isPublished: Bool
    /// Position in the pipeline's time at which it was started; its events are not earlier.
    let begin: Int
    /// Whether its start has been reported: with its first sample, or before any other event of it.
    var isStartTold = false
  }

  var current: Current?
  var playoutVolume = Volume.unchanged
  var publishVolume = Volume.unchanged
  /// Position in the pipeline's time at which music was last started; nil before the first.
  var lastStart: Int?
  /// Reason why the newest music could not be read to its end; nil if there is none.
  var failure: AudioFileError?

  func level(isPublished: Bool) -> Volume { isPublished ? publishVolume : playoutVolume }
}
