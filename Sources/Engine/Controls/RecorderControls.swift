public import AudioGraph

extension AudioPipeline {
  /// Recordings of what is heard, sent, or said by each user.
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
  /// other: delays of paths are taken out, and what is missing (a muted user, one that came later) is silence. A WAV
  /// file is valid at every moment: killed, it has lost at most the last second. Over 4 GiB it becomes RF64. Several
  /// recordings may run at once.
  ///
  /// - Parameters:
  ///   - path: the file; its extension says of which kind. Each user has a file of its own: of `talk.wav`,
  ///     `talk.7.wav` for user 7 and `talk.local.wav` for the local one; with a channel that is not the pipeline's own,
  ///     `talk.CHANNEL.7.wav`.
  ///   - position: what is recorded.
  /// - Throws: `.invalidArgument` where a file cannot be made or is recorded already; `.notReady` for RECORD without a
  ///   local source; `.wrongState` after the end. No file of this recording is left then. A file that fails later is a
  ///   `recordingFailed` event: it is valid up to there, and the pipeline continues.
  public func start(
    _ path: String, position: RecordingPosition = .mixed, options: RecordingOptions = RecordingOptions()
  ) throws(EngineError) {
    var abandoned: [RecordingTrack] = []
    // The recording thread removes their files. Not under the lock: a disk may hesitate.
    defer { for track in abandoned { track.waitForCompletion() } }
    try pipeline.edit("\(path) cannot be recorded", call: "recorder.start") {
      try pipeline.recording.start(path, position: position, options: options, abandoned: &abandoned)
    }
  }

  /// Ends one recording, or all. Returns once the files are complete.
  ///
  /// They end with what has come out at MIXED by now.
  ///
  /// - Throws: `.invalidArgument` where nothing is recorded to `path`.
  public func stop(_ path: String? = nil) throws(EngineError) {
    pipeline.recording.complete(
      try pipeline.edit("the recording cannot be stopped", call: "recorder.stop") { try pipeline.recording.stop(path) })
  }

  /// Says where the files that are recorded now end at the latest, in samples of the pipeline's time.
  package func limit(to position: Int) {
    pipeline.lock.withLock { _ in pipeline.recording.limit(to: position) }
  }

  /// Ends every recording; nothing ticks any more. Not under the lock.
  func finish() {
    guard pipeline.recording.endActivity() else { return }
    pipeline.recording.complete(pipeline.lock.withLock { _ in pipeline.recording.finish() })
    pipeline.core.events.deliver()
  }
}
