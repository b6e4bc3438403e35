import AudioFiles
public import AudioGraph
import FrameObservers
import Synchronization

extension AudioPipeline {
  /// Writes what is heard, sent, or said by each user to files, from the next tick on.
  ///
  /// All files begin with the same sample of the pipeline's time, and one sample of a file is the same moment in every
  /// other: delays of paths are taken out, what is missing (a muted user, one that came later) is silence. A WAV file
  /// is valid at every moment: killed, it has lost at most the last second. Over 4 GiB it becomes RF64. Several
  /// recordings may run at once.
  ///
  /// - Parameters:
  ///   - path: the file; its extension says of which kind. For each user there is one of its own: of `talk.wav`,
  ///     `talk.7.wav` for user 7 and `talk.local.wav` for the local one; with a channel that is not the
  ///     pipeline's own, `talk.CHANNEL.7.wav`.
  ///   - position: what is recorded.
  /// - Throws: `.invalidArgument` where a file cannot be made or is recorded already; `.notReady` for RECORD without a
  ///   local source; `.wrongState` after the end. No file of this recording is left then. A file that fails later is a
  ///   `recordingFailed` event: it is valid up to there, and the pipeline goes on.
  public func startAudioRecording(
    _ path: String, position: RecordingPosition = .mixed, options: RecordingOptions = RecordingOptions()
  ) throws(EngineError) {
    var abandoned: [RecordingTrack] = []
    // The recording thread removes their files. Not under the lock: a disk may hesitate.
    defer { for track in abandoned { track.waitForCompletion() } }
    try edit("\(path) cannot be recorded") {
      guard !hasFinished.load(ordering: .acquiring) else {
        throw EngineError(.wrongState, "the pipeline has finished; make another")
      }
      guard !recordings.contains(where: { $0.path == path }) else {
        throw EngineError(.invalidArgument, "\(path) is being recorded already; stop that first or choose another name")
      }
      if position == .record, localUser == nil {
        throw EngineError(.notReady, "there is no local source; set one first")
      }
      var recording = Recording(
        path: path, position: position, options: options, startPosition: schedule.position(ofFrame: runner.tickCount))
      let thread = try recordingThread ?? RecordingThread()
      recordingThread = thread
      do {
        for wanted in recordable(at: position) {
          try recording.begin(
            wanted, channelID: self.options.channelID, graph: graph, thread: thread, knownEnd: knownEnd, onRelease: bell
          )
        }
      } catch {
        abandoned = Array(recording.tracks.values)
        for track in abandoned { track.abandon() }
        thread.hurry()
        try recording.remove(from: graph)
        throw error
      }
      recordings.append(recording)
      hasRecordings.store(true, ordering: .releasing)
    }
  }

  /// Ends one recording, or all. Returns once the files are complete.
  ///
  /// They end with what has come out at MIXED by now.
  ///
  /// Throws: `.invalidArgument` where nothing is recorded to `path`.
  public func stopAudioRecording(_ path: String? = nil) throws(EngineError) {
    let ended = try edit("the recording cannot be stopped") {
      let ended = recordings.filter { path == nil || $0.path == path }
      if let path, ended.isEmpty { throw EngineError(.invalidArgument, "nothing is recorded to \(path)") }
      recordings.removeAll { recording in ended.contains { $0.path == recording.path } }
      hasRecordings.store(!recordings.isEmpty, ordering: .releasing)
      end(ended)
      for recording in ended { try recording.remove(from: graph) }
      return ended
    }
    complete(ended)
  }

  /// Says where the files that are recorded now end at the latest, in samples of the pipeline's time.
  package func limitRecordings(to position: Int) {
    lock.withLock { _ in
      for recording in recordings { for track in recording.tracks.values { track.limit(to: position) } }
    }
  }

  /// Ends every recording; nothing ticks any more. Not under the lock.
  func finishRecordings() {
    guard hasRecordings.exchange(false, ordering: .acquiringAndReleasing) else { return }
    let ended = lock.withLock { _ in
      defer { recordings = [] }
      end(recordings)
      return recordings
    }
    complete(ended)
    events.deliver()
  }

  /// Brings the recordings' files to the paths that there are. Within an edit.
  func reconcileRecordings() throws {
    for index in recordings.indices {
      let paths = recordable(at: recordings[index].position)
      for (source, track) in recordings[index].tracks where !paths.contains(where: { $0.source == source }) {
        try track.connect(nil, channelCount: 1, graph: graph)
      }
      for wanted in paths {
        if recordings[index].tracks[wanted.source] == nil, !recordings[index].refused.contains(wanted.source) {
          beginLate(wanted, in: index)
        }
        try recordings[index].connect(wanted, graph: graph)
      }
    }
  }

  /// Tells of files that have failed. Under the lock.
  func collectRecordings() {
    for index in recordings.indices { report(recordings[index].newFailures()) }
  }

  /// What there is to record. A source that is away for the moment is there without a node.
  private func recordable(at position: RecordingPosition) -> [Recording.Path] {
    let channels = listener.format.channelCount
    var local: [Recording.Path] = []
    if let user = localUser {
      let channelCount = user.uplink?.channelCount ?? user.source.channelCount
      local = [.init(source: .local, channelCount: channelCount, node: user.uplink?.anchor)]
    }
    switch position {
    case .mixed: return [.init(source: .mixed, channelCount: channels, node: listener.mixed)]
    case .playback: return [.init(source: .playback, channelCount: channels, node: listener.playback)]
    case .record: return local
    case .eachUser:
      return local + userOrder.map(recordable)
    case .user(let uid):
      return userOrder.filter { $0 == speakerKey(uid) }.map(recordable)
    }
  }

  private func recordable(_ key: UserKey) -> Recording.Path {
    let user = remoteUsers[key]!
    return .init(source: .remote(key), channelCount: user.channelCount, node: user.downlink?.anchor)
  }

  /// Begins the file of a user that came while the recording ran; the call that brought the user does not fail for it.
  private func beginLate(_ wanted: Recording.Path, in index: Int) {
    do {
      try recordings[index].begin(
        wanted, channelID: options.channelID, graph: graph, thread: recordingThread!, knownEnd: knownEnd,
        onRelease: bell)
    } catch {
      post(path: recordings[index].path, error)
    }
  }

  /// Says where the files end. Under the lock.
  private func end(_ ended: [Recording]) {
    let rendered = schedule.position(ofFrame: runner.tickCount) - (runner.plan?.latency(of: listener.mixed) ?? 0)
    for recording in ended {
      for track in recording.tracks.values { track.stop(at: max(rendered, recording.startPosition)) }
    }
  }

  /// Waits for the files, and tells of those that failed. Not under the lock: a disk may hesitate.
  private func complete(_ ended: [Recording]) {
    recordingThread?.hurry()
    for var recording in ended {
      for track in recording.tracks.values { track.waitForCompletion() }
      report(recording.newFailures())
    }
  }

  private func report(_ failures: [(path: String, error: AudioFileError)]) {
    for failure in failures { post(path: failure.path, failure.error) }
  }

  private func post(path: String, _ error: any Error) {
    events.post(PipelineEvent(.recordingFailed(path: path, reason: "\(error)"), tickCount: runner.tickCount))
  }
}
