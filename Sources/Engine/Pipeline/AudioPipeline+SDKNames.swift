public import AudioGraph
public import Effects
public import Playback

/// The names of commercial voice SDKs, with their integers: milliseconds, percent, -1 for ever. Each does the same as
/// the call behind it, and throws the same errors.
///
/// Source: the API documents of such SDKs; Documentation/Migration.md compares them name by name.
extension AudioPipeline {
  // MARK: Music

  /// Calls `MusicControls.start`.
  public func startAudioMixing(
    _ path: String, loopback: Bool = false, replace: Bool = false, cycle: Int = 1, startMilliseconds: Int = 0
  ) throws(EngineError) {
    try music.start(
      path, loopback: loopback, replace: replace, repetition: cycle == -1 ? .forever : .times(cycle),
      from: .milliseconds(startMilliseconds))
  }

  /// Calls `MusicControls.stop`.
  public func stopAudioMixing() throws(EngineError) { try music.stop() }

  /// Calls `MusicControls.pause`.
  public func pauseAudioMixing() throws(EngineError) { try music.pause() }

  /// Calls `MusicControls.resume`.
  public func resumeAudioMixing() throws(EngineError) { try music.resume() }

  /// Calls `MusicControls.setVolume`.
  public func adjustAudioMixingVolume(_ volume: Int) throws(EngineError) {
    try music.setVolume(try Self.volume(volume))
  }

  /// Calls `MusicControls.setPlayoutVolume`.
  public func adjustAudioMixingPlayoutVolume(_ volume: Int) throws(EngineError) {
    try music.setPlayoutVolume(try Self.volume(volume))
  }

  /// Calls `MusicControls.setPublishVolume`.
  public func adjustAudioMixingPublishVolume(_ volume: Int) throws(EngineError) {
    try music.setPublishVolume(try Self.volume(volume))
  }

  /// Returns `MusicControls.duration` in milliseconds.
  public func audioMixingDuration() throws(EngineError) -> Int { try music.duration().milliseconds }

  /// Returns `MusicControls.position` in milliseconds.
  public func audioMixingCurrentPosition() throws(EngineError) -> Int { try music.position().milliseconds }

  /// Calls `MusicControls.seek`.
  public func setAudioMixingPosition(_ milliseconds: Int) throws(EngineError) {
    try music.seek(to: .milliseconds(milliseconds))
  }

  // MARK: Effects

  /// Calls `EffectControls.play`.
  public func playEffect(_ soundID: Int, _ effect: SoundEffect, atPosition position: Int? = nil) throws(EngineError) {
    try effects.play(soundID, effect, atPosition: position)
  }

  /// Calls `EffectControls.preload`.
  public func preloadEffect(_ soundID: Int, path: String) throws(EngineError) {
    try effects.preload(soundID, path: path)
  }

  /// Calls `EffectControls.unload`.
  public func unloadEffect(_ soundID: Int) throws(EngineError) { try effects.unload(soundID) }

  /// Calls `EffectControls.pause`.
  public func pauseEffect(_ soundID: Int) throws(EngineError) { try effects.pause(soundID) }

  /// Calls `EffectControls.resume`.
  public func resumeEffect(_ soundID: Int) throws(EngineError) { try effects.resume(soundID) }

  /// Calls `EffectControls.stop`.
  public func stopEffect(_ soundID: Int) throws(EngineError) { try effects.stop(soundID) }

  /// Calls `EffectControls.pauseAll`.
  public func pauseAllEffects() { effects.pauseAll() }

  /// Calls `EffectControls.resumeAll`.
  public func resumeAllEffects() { effects.resumeAll() }

  /// Calls `EffectControls.stopAll`.
  public func stopAllEffects() { effects.stopAll() }

  /// Level of all effects in percent, from `EffectControls.volume`.
  public var effectsVolume: Int { Int(effects.volume.percent) }
  /// Calls `EffectControls.setVolume`.
  public func setEffectsVolume(_ volume: Int) throws(EngineError) { try effects.setVolume(try Self.volume(volume)) }

  /// Returns the level of one effect in percent, from `EffectControls.volume`.
  public func volumeOfEffect(_ soundID: Int) throws(EngineError) -> Int { Int(try effects.volume(of: soundID).percent) }

  /// Calls `EffectControls.setVolume`.
  public func setVolumeOfEffect(_ soundID: Int, _ volume: Int) throws(EngineError) {
    try effects.setVolume(try Self.volume(volume), of: soundID)
  }

  // MARK: Recording

  /// Calls `RecorderControls.start`.
  public func startAudioRecording(
    _ path: String, position: RecordingPosition = .mixed, options: RecordingOptions = RecordingOptions()
  ) throws(EngineError) {
    try recorder.start(path, position: position, options: options)
  }

  /// Calls `RecorderControls.stop`.
  public func stopAudioRecording(_ path: String? = nil) throws(EngineError) { try recorder.stop(path) }

  // MARK: The local user

  /// Calls `LocalControls.setMuted`.
  public func muteLocalAudioStream(_ isMuted: Bool) throws(EngineError) { try local.setMuted(isMuted) }

  /// Calls `LocalControls.setCaptured`.
  public func enableLocalAudio(_ isEnabled: Bool) throws(EngineError) { try local.setCaptured(isEnabled) }

  /// Calls `LocalControls.setEarMonitoring`.
  public func enableInEarMonitoring(_ isEnabled: Bool, volume: Int = 100) throws(EngineError) {
    let wanted = try Self.volume(volume)
    try local.setEarMonitoring(isEnabled ? wanted : nil)
  }

  /// Calls `LocalControls.setPitch`.
  public func setLocalVoicePitch(
    _ ratio: Double, mode: PitchShiftMode = .lowDelay, keepsFormants: Bool = false
  ) throws(EngineError) {
    try local.setPitch(
      try Self.checked("the pitch of the local voice cannot be set") { try PitchRatio(ratio) }, mode: mode,
      keepsFormants: keepsFormants)
  }

  /// Calls `UserControls.setVoiceOnly`, or without a speaker `LocalControls.setVoiceOnly`.
  public func setVoiceOnlyMode(_ isOn: Bool, speaker uid: UInt32? = nil) throws(EngineError) {
    if let uid { try users[uid].setVoiceOnly(isOn) } else { try local.setVoiceOnly(isOn) }
  }

  /// Calls `UserControls.setSentVolume`, or without a speaker `LocalControls.setVolume`.
  public func adjustRecordingSignalVolume(_ volume: Int, speaker uid: UInt32? = nil) throws(EngineError) {
    let volume = try Self.volume(volume)
    if let uid { try users[uid].setSentVolume(volume) } else { try local.setVolume(volume) }
  }

  /// Calls `startVoicePitchReports`; an interval of 0 or less turns the reports off.
  public func enableLocalVoicePitchCallback(
    interval: Int, meter: @escaping @Sendable (AudioFormat) throws -> VoicePitchMeter
  ) throws(EngineError) {
    guard interval > 0 else { return try stopVoicePitchReports() }
    try startVoicePitchReports(every: .milliseconds(interval), meter: meter)
  }

  /// Calls `stopVoicePitchReports`.
  public func disableLocalVoicePitchCallback() throws(EngineError) { try stopVoicePitchReports() }

  // MARK: Users

  /// Calls `setAudioEnabled`.
  public func enableAudio() throws(EngineError) { try setAudioEnabled(true) }

  /// Calls `setAudioEnabled`.
  public func disableAudio() throws(EngineError) { try setAudioEnabled(false) }

  /// Calls `setVolumeReports`; an interval of 0 or less turns the reports off.
  public func enableAudioVolumeIndication(interval: Int, smooth: Int = 3, reportVAD: Bool = false) throws(EngineError) {
    try setVolumeReports(
      every: interval > 0 ? .milliseconds(interval) : nil, smooth: smooth, reportsVoiceActivity: reportVAD)
  }

  /// Calls `UserControls.remove`.
  public func removeUser(_ uid: UInt32, channelID: String? = nil) throws(EngineError) {
    try users[uid, channel: channelID].remove()
  }

  /// Calls `UserControls.setMuted`.
  public func muteRemoteAudioStream(_ uid: UInt32, _ isMuted: Bool, channelID: String? = nil) throws(EngineError) {
    try users[uid, channel: channelID].setMuted(isMuted)
  }

  /// Calls `UsersControls.setAllMuted`.
  public func muteAllRemoteAudioStreams(_ isMuted: Bool) throws(EngineError) { try users.setAllMuted(isMuted) }

  /// Calls `UserControls.setVolume`.
  public func adjustUserPlaybackSignalVolume(
    _ uid: UInt32, _ volume: Int, channelID: String? = nil
  ) throws(EngineError) {
    try users[uid, channel: channelID].setVolume(try Self.volume(volume))
  }

  /// Calls `UserControls.setPanning`.
  public func setRemoteVoicePosition(
    _ uid: UInt32, pan: Double, gain: Int = 100, channelID: String? = nil
  ) throws(EngineError) {
    let panning = try Self.checked("the position of user \(uid) cannot be set") { try Panning(pan) }
    try users[uid, channel: channelID].setPanning(panning, gain: try Self.volume(gain))
  }

  /// Calls `UsersControls.setPlaybackVolume`.
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
  /// Creates an effect with the integers of commercial voice SDKs.
  ///
  /// - Parameters:
  ///   - path: Path of the file.
  ///   - loopCount: Repetitions after the first time; -1 for ever.
  ///   - pitch: Factor of the pitch.
  ///   - panning: Position of the effect between left and right.
  ///   - gain: Level of the effect.
  ///   - isPublished: Whether the effect is sent along with the local voice, or only heard here.
  ///   - startMilliseconds: Start position in the file.
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

  /// Milliseconds, rounded up; at most 10^9.
  var wholeMilliseconds: Int { Int(min(max((self / .milliseconds(1)).rounded(.up), -1), 1e9)) }
}
