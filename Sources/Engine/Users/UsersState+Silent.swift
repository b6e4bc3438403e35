import AudioGraph
import Effects

/// A local user without a voice: the path of music and effects that are sent without a local source.
extension UsersState {
  /// Whether the local user has no voice.
  var isLocalSilent: Bool { local?.source is SilentSource }

  /// Adds a local user without a voice, if there is none. Music may be stereo, so that it is sent in stereo.
  func needLocal() throws {
    guard local == nil else { return }
    try setLocalSource(
      SilentSource(sampleRate: core.options.sampleRate), volume: .unchanged, pitch: nil, sentChannelCount: 2)
  }

  /// Gives the silent local user a voice. Its music and effects continue in stereo.
  func replaceSilence(
    with source: any AudioSource, volume: Volume, pitch: VoicePitch?, sentChannelCount: Int?
  ) throws {
    guard sentChannelCount ?? 2 == 2 else {
      throw EngineError(
        .invalidArgument, "music is sent in stereo; stop it, or set the local source with 2 sent channels")
    }
    if pitch != nil { try checkPitch(of: source) }
    try replaceLocalSource(with: source)
    if let pitch { try setLocalPitch(pitch) }
    try setRecordVolume(volume, speaker: nil)
  }
}
