import Effects
import Playback

/// The sound effects of a pipeline: those that play, those kept in memory, and their levels.
struct EffectTable {
  /// An effect that plays or is paused.
  struct Entry {
    let chain: SoundChain
    let track: MusicTrack
    var gain: Volume
  }

  var entries: [Int: Entry] = [:]
  var preloaded: [Int: SoundMemory] = [:]
  /// Level of all effects.
  var volume = Volume.unchanged

  /// Returns the level at which an effect is heard: its own level times the level of all effects.
  func level(_ gain: Volume) -> Volume {
    // A product of two values from 0 to 100 is one, too.
    (try? Volume(gain.percent * volume.percent / 100)) ?? .unchanged
  }
}
