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
      try users.setLocalSource(source, volume: volume, pitch: pitch, sentChannelCount: sentChannelCount)
    }
  }

  /// Stops or resumes sending the local user. While muted no frame of its voice reaches RECORD, MIXED or its own ears;
  /// music and effects that are sent with it go on, heard here alone.
  public func muteLocalAudioStream(_ isMuted: Bool) throws(EngineError) {
    try changeLocal("the local stream cannot be muted") { $0.isMuted = isMuted }
  }

  /// Stops or resumes capturing the local user; what it hears goes on, music and effects that are sent with it too.
  public func enableLocalAudio(_ isEnabled: Bool) throws(EngineError) {
    try changeLocal("local audio cannot be switched") { $0.isCaptured = isEnabled }
  }

  /// Lets the local user hear its own voice, at a volume of 0 to 400, or no longer.
  public func enableInEarMonitoring(_ isEnabled: Bool, volume: Int = 100) throws(EngineError) {
    let wanted: Volume
    do {
      wanted = try Volume(Double(volume))
    } catch {
      throw EngineError(.invalidArgument, "ear monitoring cannot be set: \(error)", cause: error)
    }
    try changeLocal("ear monitoring cannot be set") { $0.earVolume = isEnabled ? wanted : nil }
  }

  /// Changes the pitch of the local voice, 0.5 (an octave down) to 2 (an octave up); its speed stays.
  ///
  /// The first call with a ratio other than 1, and another mode, change the delay of the uplink by that of the mode,
  /// with one crossfaded frame; later ratios glide over a frame. A ratio of 1 keeps the delay.
  ///
  /// Throws: `.invalidArgument` out of range, `.notReady` without a local source.
  public func setLocalVoicePitch(_ ratio: Double, mode: PitchShiftMode = .lowDelay, keepsFormants: Bool = false)
    throws(EngineError)
  {
    try edit("the pitch of the local voice cannot be set") {
      try users.setLocalPitch(VoicePitch(try PitchRatio(ratio), mode: mode, keepsFormants: keepsFormants))
    }
  }

  /// Lets speech alone through, of the local voice or of one speaker whose uplink runs here: keystrokes, fans and what
  /// is between words are taken away. Off at first.
  ///
  /// The first call that switches it on adds a `NoiseSuppressorNode` and its delay, about 55 ms, to the uplink, with
  /// one crossfaded frame; from then on a switch is a crossfade of one frame that keeps the delay.
  ///
  /// Throws: `.notReady` without a local source, `.invalidArgument` where there is no such speaker.
  public func setVoiceOnlyMode(_ isOn: Bool, speaker uid: UInt32? = nil) throws(EngineError) {
    try edit("the voice-only mode cannot be set") { try users.setVoiceOnly(isOn, speaker: uid) }
  }

  private func changeLocal(_ what: String, call: String = #function, _ change: (inout LocalUser) -> Void)
    throws(EngineError)
  {
    try edit(what, call: call) { try users.changeLocal(change) }
  }
}
