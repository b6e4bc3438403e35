package import Effects

/// Volume, panning and pitch of a sound.
package struct SoundSettings {
  package var volume: Volume
  package var panning: Panning
  package var pitch: PitchRatio

  package init(volume: Volume = .unchanged, panning: Panning = .center, pitch: PitchRatio = .unchanged) {
    self.volume = volume
    self.panning = panning
    self.pitch = pitch
  }
}
