public import AudioGraph
public import Effects

extension AudioPipeline {
  /// The local user's voice.
  public var local: LocalControls { LocalControls(pipeline: self) }
}

/// Changes the voice of the local user, and its source. `setLocalSource` adds it.
///
/// ```swift
/// try pipeline.local.setPitch(PitchRatio(0.8))
/// try pipeline.local.setMuted(true)
/// ```
/// Thread: any. Every call throws `.notReady` without a local source.
public struct LocalControls: Sendable {
  let pipeline: AudioPipeline

  /// Stops or resumes sending the voice. While it is muted, none of its frames reach RECORD, MIXED or the local user's
  /// own ears. Music and effects that are sent with it continue; they are heard only here. The device stays open, and
  /// the other users of joined channels hear of the mute.
  public func setMuted(_ isMuted: Bool) throws(EngineError) {
    try change("the local stream cannot be muted", "setMuted") { $0.isMuted = isMuted }
  }

  /// Stops or resumes capturing the voice: a device is closed, and opened again. The sound that the local user hears
  /// continues, and so do music and effects that are sent with the voice.
  public func setCaptured(_ isCaptured: Bool) throws(EngineError) {
    try change("local audio cannot be switched", "setCaptured") { $0.isCaptured = isCaptured }
  }

  /// Sets the level at which the voice is sent.
  public func setVolume(_ volume: Volume) throws(EngineError) {
    try pipeline.set("the recording volume cannot be set", call: "local.setVolume") {
      try pipeline.userStates.setRecordVolume(volume, speaker: nil)
    }
  }

  /// Lets the local user hear its own voice at a volume; nil turns that off.
  public func setEarMonitoring(_ volume: Volume?) throws(EngineError) {
    try change("ear monitoring cannot be set", "setEarMonitoring") { $0.earVolume = volume }
  }

  /// Changes the pitch of the voice; its speed stays the same.
  ///
  /// The first call with a ratio other than 1 changes the delay of the uplink by the delay of the mode, with one
  /// crossfaded frame. So does a call with another mode. Later ratios glide over a frame. A ratio of 1 keeps the delay.
  public func setPitch(
    _ ratio: PitchRatio, mode: PitchShiftMode = .lowDelay, keepsFormants: Bool = false
  ) throws(EngineError) {
    try pipeline.edit("the pitch of the local voice cannot be set", call: "local.setPitch") {
      try pipeline.userStates.setLocalPitch(VoicePitch(ratio, mode: mode, keepsFormants: keepsFormants))
    }
  }

  /// Lets only speech through: keystrokes, fans and noise between words are suppressed. Off at first.
  ///
  /// The first call that switches it on adds a `NoiseSuppressorNode` and its delay, about 55 ms, to the uplink, with
  /// one crossfaded frame. From then on, a switch is a crossfade of one frame that keeps the delay.
  public func setVoiceOnly(_ isOn: Bool) throws(EngineError) {
    try pipeline.edit("the voice-only mode cannot be set", call: "local.setVoiceOnly") {
      try pipeline.userStates.setVoiceOnly(isOn, speaker: nil)
    }
  }

  private func change(_ what: String, _ call: String, _ change: (inout LocalUser) -> Void) throws(EngineError) {
    try pipeline.edit(what, call: "local.\(call)") { try pipeline.userStates.changeLocal(change) }
  }
}
