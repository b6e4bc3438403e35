public import Engine
import Platform
import RelayClient

/// The local sound while channels are joined: its recordings, its mute, and its microphone.
extension RtcEngine {
  /// Records to a file until `stopAudioRecording`, or until the main channel is left: see `RecorderControls.start`. A
  /// recording that outlives channels is the pipeline's: `pipeline.recorder.start`.
  ///
  /// - Throws: `.wrongState` without the main channel; `.invalidArgument` for a file that cannot be recorded.
  public func startAudioRecording(
    _ path: String, position: RecordingPosition = .mixed, options: RecordingOptions = RecordingOptions()
  ) throws(ChannelError) {
    try checkNotDestroyed()
    guard connection?.isActive == true else {
      throw ChannelError(.wrongState, "no channel is joined; join one before a recording")
    }
    do throws(EngineError) { try pipeline.recorder.start(path, position: position, options: options) } catch {
      throw ChannelError(.invalidArgument, error.message)
    }
    state.withLock { _ = $0.recordings.insert(path) }
  }

  /// Ends the recordings of `startAudioRecording`. Returns once the files are complete.
  ///
  /// - Throws: `.wrongState` if nothing is recorded.
  public func stopAudioRecording() throws(ChannelError) {
    try checkNotDestroyed()
    let paths = state.withLock { state in
      defer { state.recordings = [] }
      return state.recordings.sorted()
    }
    if paths.isEmpty { throw ChannelError(.wrongState, "nothing is recorded; start a recording first") }
    // A recording may have ended by itself, such as on a full disk.
    for path in paths { try? pipeline.recorder.stop(path) }
  }

  /// Adds the state of the pipeline's local sound to the settings of a join.
  func addLocalSound(to settings: inout ChannelSettings) {
    settings.isSourceMuted = pipeline.isLocalMuted
    settings.playsMusic = pipeline.isMusicSent && settings.publishesMixedFile
  }

  /// Takes the leave of a channel: the microphone of the last one is closed.
  func takeLeave(_ options: LeaveOptions) {
    applyMutes()
    let isNeeded = state.withLock { $0.echoTest != nil || $0.joined.contains(where: \.isActive) }
    if options.stopsMicrophone, !isNeeded { pipeline.holdMicrophone(true) }
  }

  /// Takes a mute of the local voice in the pipeline: the other users hear of it.
  func takeLocalMute(_ isMuted: Bool) {
    for connection in state.withLock({ $0.joined }) { connection.setSourceMuted(isMuted) }
  }

  /// Ends the sound at RECORD once no channel takes it, as a mute in the pipeline does.
  func applyMutes() {
    let (joined, isMuted) = state.withLock { ($0.joined.filter(\.isActive), $0.mutes.isMuted) }
    let settings = joined.map(\.settings).filter(\.publishes)
    pipeline.setMutedByChannels(settings.isEmpty ? isMuted : settings.allSatisfy(\.isMuted))
  }
}
