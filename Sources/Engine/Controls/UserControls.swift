public import AudioGraph
public import Effects

/// Changes how one user is heard.
///
/// ```swift
/// try pipeline.users[7].setVolume(Volume(50))
/// try pipeline.users[7].setPanning(Panning(-0.5))
/// ```
/// Thread: any. Every call throws `.invalidArgument` if there is no such user.
public struct UserControls: Sendable {
  let pipeline: AudioPipeline
  let uid: UInt32
  let channelID: String?

  /// Sets the level at which the listener hears the user, up to 100.
  public func setVolume(_ volume: Volume) throws(EngineError) {
    try pipeline.set("the volume of user \(uid) cannot be set", call: "users.setVolume") {
      try pipeline.userStates.setVolume(key, volume)
      pipeline.reconcileListening(key)
    }
  }

  /// Sets the position at which the listener hears the user, and a gain up to 100.
  public func setPanning(_ panning: Panning, gain: Volume = .unchanged) throws(EngineError) {
    try pipeline.set("the position of user \(uid) cannot be set", call: "users.setPanning") {
      try pipeline.userStates.setPosition(key, panning: panning, gain: gain)
      pipeline.reconcileListening(key)
    }
  }

  /// Stops or resumes hearing the user. While it is muted, none of its frames reach BEFORE MIXING.
  public func setMuted(_ isMuted: Bool) throws(EngineError) {
    try pipeline.edit("user \(uid) cannot be muted", call: "users.setMuted") {
      try pipeline.userStates.setMuted(key, isMuted)
    }
  }

  /// Sets the level of the sound that the user sends, if its uplink runs here.
  public func setSentVolume(_ volume: Volume) throws(EngineError) {
    try pipeline.set("the recording volume cannot be set", call: "users.setSentVolume") {
      try pipeline.userStates.setRecordVolume(volume, speaker: uid)
    }
  }

  /// Lets only the speech of the user through, if its uplink runs here: see `LocalControls.setVoiceOnly`.
  public func setVoiceOnly(_ isOn: Bool) throws(EngineError) {
    try pipeline.edit("the voice-only mode cannot be set", call: "users.setVoiceOnly") {
      try pipeline.userStates.setVoiceOnly(isOn, speaker: uid)
    }
  }

  /// Removes the user; its last frame is faded out.
  public func remove() throws(EngineError) {
    try pipeline.edit("user \(uid) cannot be removed", call: "users.remove") {
      let user = try pipeline.userStates.user(key)
      if user.hasUplink, key.channelID == pipeline.options.channelID {
        try pipeline.sounds.remove(with: .published(speaker: uid))
      }
      try pipeline.userStates.remove(key)
    }
  }

  private var key: UserKey { pipeline.userStates.key(uid, channelID: channelID) }
}
