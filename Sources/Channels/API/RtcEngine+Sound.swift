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
    let paths = takeRecordings()
    if paths.isEmpty { throw ChannelError(.wrongState, "nothing is recorded; start a recording first") }
    // A recording may have ended by itself, such as on a full disk.
    for path in paths { try? pipeline.recorder.stop(path) }
  }

  /// Ends the recordings, and returns before their files are complete; a stepped engine waits for them.
  func endRecordings() {
    let (paths, pipeline) = (takeRecordings(), pipeline)
    guard !paths.isEmpty else { return }
    let completions = paths.compactMap { try? pipeline.recorder.end($0) }
    let complete: @Sendable () -> Void = { for completion in completions { completion() } }
    if options.environment.isStepped { complete() } else { recordingEnds.run(complete) }
  }

  private func takeRecordings() -> [String] {
    state.withLock { state in
      defer { state.recordings = [] }
      return state.recordings.sorted()
    }
  }

  /// Adds the state of the pipeline's local sound to the settings of a join.
  func addLocalSound(to settings: inout ChannelSettings) {
    settings.isSourceMuted = pipeline.isLocalMuted
    settings.playsMusic = pipeline.isMusicSent && settings.publishesMixedFile
  }

  /// Takes the leave of a channel, or its end: the microphone of the last one is closed.
  func takeLeave(_ options: LeaveOptions) {
    applyLocalSound()
    updateMicrophone(closes: options.stopsMicrophone)
  }

  /// Takes the end of a channel that the program has not left.
  func takeEnd(of connection: RtcConnection) {
    if connection === self.connection, connection.state == .disconnected { endRecordings() }
    takeLeave(LeaveOptions())
  }

  /// Opens the microphone for a join.
  func openMicrophone() {
    localSound.withLock { _ in if !state.withLock({ $0.isDestroyed }) { pipeline.holdMicrophone(false, of: self) } }
  }

  /// Opens the microphone while a channel or an echo test needs it.
  ///
  /// - Parameter closes: Whether it is closed otherwise.
  func updateMicrophone(closes: Bool) {
    localSound.withLock { _ in
      let (joined, hasEchoTest, isDestroyed) = state.withLock { ($0.joined, $0.echoTest != nil, $0.isDestroyed) }
      guard !isDestroyed else { return }
      let isNeeded = hasEchoTest || joined.contains { !$0.isSilent && ($0.isActive || $0.awaitsToken) }
      if isNeeded || closes { pipeline.holdMicrophone(!isNeeded, of: self) }
    }
  }

  /// Brings the local sound to a channel that has begun, or begins again: changes since its settings were made count.
  func settleLocalSound() {
    updateMicrophone(closes: false)
    takeLocalChange()
    applyLocalSound()
  }

  /// Takes a change of the local voice in the pipeline: its mute is told to the others, and another number of channels
  /// is sent.
  func takeLocalChange() {
    localSound.withLock { _ in
      let isMuted = pipeline.isLocalMuted
      for connection in state.withLock({ $0.joined }) { connection.takeLocalChange(isMuted: isMuted) }
    }
  }

  /// Ends the sound at RECORD once no channel takes it, as a mute in the pipeline does, and lets the others know of
  /// music.
  func applyLocalSound() {
    localSound.withLock { _ in
      let (all, isMuted, isDestroyed) = state.withLock { ($0.joined, $0.mutes.isMuted, $0.isDestroyed) }
      guard !isDestroyed else { return }
      let settings = all.filter { $0.isActive || $0.awaitsToken }.map(\.settings).filter(\.publishes)
      // Without a channel, an engine has no say in the mutes of others.
      let wish: Bool? = settings.isEmpty ? (isMuted ? true : nil) : settings.allSatisfy(\.isMuted)
      pipeline.setMutedByChannels(wish, of: self)
      let isMusicSent = pipeline.isMusicSent
      for connection in all { connection.setMusic(isMusicSent) }
    }
  }
}
