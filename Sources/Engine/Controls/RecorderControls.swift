public import AudioGraph

extension AudioPipeline {
  /// Recordings of the sound that is heard, is sent, or comes from each user.
  public var recorder: RecorderControls { RecorderControls(pipeline: self) }
}

/// Records a pipeline's sound to files.
///
/// ```swift
/// try pipeline.recorder.start("talk.wav", position: .eachUser)
/// try pipeline.recorder.stop()
/// ```
/// Thread: any.
public struct RecorderControls: Sendable {
  let pipeline: AudioPipeline

  /// Records to files, from the next tick on.
  ///
  /// All files begin with the same sample of the pipeline's time, and one sample of a file is the same moment in every
  /// other file. Delays of paths are removed. Missing sound (of a muted user, or of a user that comes later) is
  /// silence. A WAV file is valid at every moment: a kill loses at most the last second. Over 4 GiB it becomes RF64.
  /// Several recordings may run at once.
  ///
  /// - Parameters:
  ///   - path: The file; its extension selects the file type. If each user has its own file, `talk.wav` becomes
  ///     `talk.7.wav` for user 7 and `talk.local.wav` for the local user. In a channel other than the pipeline's own,
  ///     it becomes `talk.CHANNEL.7.wav`.
  ///   - position: The sound to record.
  ///   - options: How the files are written.
  /// - Throws: `.invalidArgument` if a file cannot be created or is recorded already; `.notReady` for RECORD without a
  ///   local source; `.wrongState` after the end. No file of this recording remains then. A file that fails later is a
  ///   `recordingFailed` event: it is valid up to there, and the pipeline continues.
  public func start(
    _ path: String, position: RecordingPosition = .mixed, options: RecordingOptions = RecordingOptions()
  ) throws(EngineError) {
    try start([position: path], options: options)
  }

  /// Records several sounds to files, all of which begin with the same sample.
  ///
  /// ```swift
  /// try pipeline.recorder.start([.eachUser: "user.wav", .mixed: "all.wav"])
  /// ```
  /// - Parameters:
  ///   - paths: For each sound to record, its file; see `start(_:position:options:)`.
  ///   - options: How the files are written.
  /// - Throws: As `start(_:position:options:)`. No file of the call remains then.
  public func start(
    _ paths: [RecordingPosition: String], options: RecordingOptions = RecordingOptions()
  ) throws(EngineError) {
    var abandoned: [RecordingTrack] = []
    // The recording thread removes their files. Not under the lock: a disk may be slow.
    defer { for track in abandoned { track.waitForCompletion() } }
    let names = paths.values.sorted().joined(separator: ", ")
    try pipeline.edit("\(names) cannot be recorded", call: "recorder.start") {
      try pipeline.recording.start(paths, options: options, abandoned: &abandoned)
    }
  }

  /// Ends one recording, or all (nil). Returns once the files are complete.
  ///
  /// The files end with the newest sample that has come out at MIXED.
  ///
  /// - Throws: `.invalidArgument` if nothing is recorded to `path`.
  public func stop(_ path: String? = nil) throws(EngineError) {
    pipeline.recording.complete(
      try pipeline.edit("the recording cannot be stopped", call: "recorder.stop") { try pipeline.recording.stop(path) })
  }

  /// Ends one recording.
  ///
  /// - Returns: Waits until its files are complete; call it once, on any thread that may wait for the disk.
  package func end(_ path: String) throws(EngineError) -> @Sendable () -> Void {
    let ended = try pipeline.edit("the recording cannot be stopped", call: "recorder.stop") {
      Guarded(try pipeline.recording.stop(path))
    }
    return { [pipeline] in pipeline.recording.complete(ended.withLock { $0 }) }
  }

  /// Pauses the present recordings: the sound from the next tick on is not in their files. Both sides of the pause are
  /// crossfaded over a frame.
  public func pause() { pipeline.lock.withLock { _ in pipeline.recording.setPaused(true) } }

  /// Resumes the recordings that `pause` has paused.
  public func resume() { pipeline.lock.withLock { _ in pipeline.recording.setPaused(false) } }

  /// Sets the latest end of the files that are being recorded, in samples of the pipeline's time.
  package func limit(to position: Int) {
    pipeline.lock.withLock { _ in pipeline.recording.limit(to: position) }
  }

  /// Ends every recording after the last tick. Not under the lock.
  func finish() {
    guard pipeline.recording.endActivity() else { return }
    pipeline.recording.complete(pipeline.lock.withLock { _ in pipeline.recording.finish() })
    pipeline.core.events.deliver()
  }
}
