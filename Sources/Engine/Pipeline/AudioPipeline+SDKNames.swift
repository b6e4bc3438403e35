public import AudioGraph
public import Effects
public import Playback

/// The spellings of commercial voice SDKs, with their integers: milliseconds, percent, -1 for ever. Each does what the
/// call behind it does, and throws the same.
///
/// Source: the API documents of such SDKs; Documentation/Migration.md compares them name by name.
extension AudioPipeline {
  // MARK: Music

  /// See `MusicControls.start`.
  public func startAudioMixing(
    _ path: String, loopback: Bool = false, replace: Bool = false, cycle: Int = 1, startMilliseconds: Int = 0
  ) throws(EngineError) {
    try music.start(
      path, loopback: loopback, replace: replace, repetition: cycle == -1 ? .forever : .times(cycle),
      from: .milliseconds(startMilliseconds))
  }

  /// See `MusicControls.stop`.
  public func stopAudioMixing() throws(EngineError) { try music.stop() }

  /// See `MusicControls.pause`.
  public func pauseAudioMixing() throws(EngineError) { try music.pause() }

  /// See `MusicControls.resume`.
  public func resumeAudioMixing() throws(EngineError) { try music.resume() }

  /// See `MusicControls.setVolume`.
  public func adjustAudioMixingVolume(_ volume: Int) throws(EngineError) {
    try music.setVolume(try Self.volume(volume))
  }

  /// See `MusicControls.setPlayoutVolume`.
  public func adjustAudioMixingPlayoutVolume(_ volume: Int) throws(EngineError) {
    try music.setPlayoutVolume(try Self.volume(volume))
  }

  /// See `MusicControls.setPublishVolume`.
  public func adjustAudioMixingPublishVolume(_ volume: Int) throws(EngineError) {
    try music.setPublishVolume(try Self.volume(volume))
  }

  /// See `MusicControls.duration`.
  public func audioMixingDuration() throws(EngineError) -> Int { try music.duration().milliseconds }

  /// See `MusicControls.position`.
  public func audioMixingCurrentPosition() throws(EngineError) -> Int { try music.position().milliseconds }

  /// See `MusicControls.seek`.
  public func setAudioMixingPosition(_ milliseconds: Int) throws(EngineError) {
    try music.seek(to: .milliseconds(milliseconds))
  }

  // MARK: Effects

  /// See `EffectControls.play`.
  public func playEffect(_ soundID: Int, _ effect: SoundEffect, atPosition position: Int? = nil) throws(EngineError) {
    try effects.play(soundID, effect, atPosition: position)
  }

  /// See `EffectControls.preload`.
  public func preloadEffect(_ soundID: Int, path: String) throws(EngineError) {
    try effects.preload(soundID, path: path)
  }

  /// See `EffectControls.unload`.
  public func unloadEffect(_ soundID: Int) throws(EngineError) { try effects.unload(soundID) }

  /// See `EffectControls.pause`.
  public func pauseEffect(_ soundID: Int) throws(EngineError) { try effects.pause(soundID) }

  /// See `EffectControls.resume`.
  public func resumeEffect(_ soundID: Int) throws(EngineError) { try effects.resume(soundID) }

  /// See `EffectControls.stop`.
  public func stopEffect(_ soundID: Int) throws(EngineError) { try effects.stop(soundID) }

  /// See `EffectControls.pauseAll`.
  public func pauseAllEffects() { effects.pauseAll() }

  /// See `EffectControls.resumeAll`.
  public func resumeAllEffects() { effects.resumeAll() }

  /// See `EffectControls.stopAll`.
  public func stopAllEffects() { effects.stopAll() }

  /// See `EffectControls.volume`.
  public var effectsVolume: Int { Int(effects.volume.percent) }
  /// See `EffectControls.setVolume`.
  public func setEffectsVolume(_ volume: Int) throws(EngineError) { try effects.setVolume(try Self.volume(volume)) }

  /// See `EffectControls.volume`.
  public func volumeOfEffect(_ soundID: Int) throws(EngineError) -> Int { Int(try effects.volume(of: soundID).percent) }

  /// See `EffectControls.setVolume`.
  public func setVolumeOfEffect(_ soundID: Int, _ volume: Int) throws(EngineError) {
    try effects.setVolume(try Self.volume(volume), of: soundID)
  }

  // MARK: Recording

  /// See `RecorderControls.start`.
  public func startAudioRecording(
    _ path: String, position: RecordingPosition = .mixed, options: RecordingOptions = RecordingOptions()
  ) throws(EngineError) {
    try recorder.start(path, position: position, options: options)
  }

  /// See `RecorderControls.stop`.
  public func stopAudioRecording(_ path: String? = nil) throws(EngineError) { try recorder.stop(path) }

  // MARK: The local user

  /// See `LocalControls.setMuted`.
  public func muteLocalAudioStream(_ isMuted: Bool) throws(EngineError) { try local.setMuted(isMuted) }

  /// See `LocalControls.setCaptured`.
  public func enableLocalAudio(_ isEnabled: Bool) throws(EngineError) { try local.setCaptured(isEnabled) }

  /// See `LocalControls.setEarMonitoring`.
  public func enableInEarMonitoring(_ isEnabled: Bool, volume: Int = 100) throws(EngineError) {
    let wanted = try Self.volume(volume)
    try local.setEarMonitoring(isEnabled ? wanted : nil)
  }

  /// See `LocalControls.setPitch`.
  public func setLocalVoicePitch(
    _ ratio: Double, mode: PitchShiftMode = .lowDelay, keepsFormants: Bool = false
  ) throws(EngineError) {
    try local.setPitch(
      try Self.checked("the pitch of the local voice cannot be set") { try PitchRatio(ratio) }, mode: mode,
      keepsFormants: keepsFormants)
  }

  /// See `UserControls.setVoiceOnly`.
  public func setVoiceOnlyMode(_ isOn: Bool, speaker uid: UInt32? = nil) throws(EngineError) {
    if let uid { try users[uid].setVoiceOnly(isOn) } else { try local.setVoiceOnly(isOn) }
  }

  /// See `UserControls.setSentVolume`.
  public func adjustRecordingSignalVolume(_ volume: Int, speaker uid: UInt32? = nil) throws(EngineError) {
    let volume = try Self.volume(volume)
    if let uid { try users[uid].setSentVolume(volume) } else { try local.setVolume(volume) }
  }

  // MARK: Users

  /// See `UserControls.remove`.
  public func removeUser(_ uid: UInt32, channelID: String? = nil) throws(EngineError) {
    try users[uid, channel: channelID].remove()
  }

  /// See `UserControls.setMuted`.
  public func muteRemoteAudioStream(_ uid: UInt32, _ isMuted: Bool, channelID: String? = nil) throws(EngineError) {
    try users[uid, channel: channelID].setMuted(isMuted)
  }

  /// See `UsersControls.setAllMuted`.
  public func muteAllRemoteAudioStreams(_ isMuted: Bool) throws(EngineError) { try users.setAllMuted(isMuted) }

  /// See `UserControls.setVolume`.
  public func adjustUserPlaybackSignalVolume(
    _ uid: UInt32, _ volume: Int, channelID: String? = nil
  ) throws(EngineError) {
    try users[uid, channel: channelID].setVolume(try Self.volume(volume))
  }

  /// See `UserControls.setPanning`.
  public func setRemoteVoicePosition(
    _ uid: UInt32, pan: Double, gain: Int = 100, channelID: String? = nil
  ) throws(EngineError) {
    let panning = try Self.checked("the position of user \(uid) cannot be set") { try Panning(pan) }
    try users[uid, channel: channelID].setPanning(panning, gain: try Self.volume(gain))
  }

  /// See `UsersControls.setPlaybackVolume`.
  public func adjustPlaybackSignalVolume(_ volume: Int) throws(EngineError) {
    try users.setPlaybackVolume(try Self.volume(volume))
  }

  private static func volume(_ percent: Int) throws(EngineError) -> Volume {
    try checked("the volume cannot be set") { try Volume(Double(percent)) }
  }

  private static func checked<Value>(_ what: String, _ make: () throws -> Value) throws(EngineError) -> Value {
    do { return try make() } catch { throw EngineError(.invalidArgument, "\(what): \(error)", cause: error) }
  }
}

extension SoundEffect {
  /// An effect with the integers of such an SDK.
  ///
  /// - Parameters:
  ///   - loopCount: repetitions after the first time; -1 for ever.
  ///   - startMilliseconds: where in the file it begins.
  public init(
    path: String, loopCount: Int, pitch: PitchRatio = .unchanged, panning: Panning = .center,
    gain: Volume = .unchanged, isPublished: Bool = true, startMilliseconds: Int = 0
  ) {
    self.init(
      path: path, repetition: loopCount == -1 ? .forever : .times(min(loopCount, .max - 1) + 1), pitch: pitch,
      panning: panning, gain: gain, isPublished: isPublished, start: .milliseconds(startMilliseconds))
  }
}

extension Duration {
  fileprivate var milliseconds: Int { Int(self / .milliseconds(1)) }
}
