import Effects

/// How a sound is played.
struct SoundSettings {
  var volume = Volume.unchanged
  var panning = Panning.center
  var pitch = PitchRatio.unchanged
}
