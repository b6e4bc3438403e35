import AudioFiles
import AudioGraph
import Recordings

/// The recordings of a pipeline, and the thread that writes their files.
///
/// Thread: control, under the pipeline's lock, except `complete`.
final class RecordingState: PipelineFeature {
  private let core: PipelineCore
  private let users: UsersState
  private var recordings: [Recording] = []
  /// The thread that writes the files; created with the first recording.
  private var thread: RecordingThread?
  private let activity = FeatureActivity()

  init(_ core: PipelineCore, users: UsersState) {
    self.core = core
    self.users = users
  }

  var isActive: Bool { activity.isActive }
  var isPolled: Bool { false }

  /// Whether nothing is recorded.
  var isEmpty: Bool { recordings.isEmpty }

  /// Returns whether a remote user has its own file.
  func isRecorded(_ key: UserKey) -> Bool { recordings.contains { $0.tracks[key.recorded] != nil } }

  /// Number of ticks for which every file has capacity: one at a time, since files are checked each time. Wakes the
  /// thread if a file has none.
  var readyTicks: Int {
    guard !recordings.isEmpty else { return .max }
    var ticks = 1
    for recording in recordings {
      for track in recording.tracks.values where !track.isReady {
        thread?.hurry()
        ticks = 0
      }
    }
    return ticks
  }

  /// Connects the recordings' files to the existing paths.
  func reconcile(graph: Graph) throws {
    // Taken once: recordings that wait for the same user begin together.
    let next = recordings.contains { $0.origin == nil } ? originOfNextTick() : nil
    for index in recordings.indices {
      guard recordings[index].origin != nil || !users.order.isEmpty else { continue }
      recordings[index].origin = recordings[index].origin ?? next
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

  /// Reports files that have begun or failed.
  func collect() {
    for index in recordings.indices { report(&recordings[index]) }
  }

  /// Begins recordings at one sample: all of them, or none.
  ///
  /// - Parameters:
  ///   - paths: For each sound to record, the file, or the pattern of the users' files.
  ///   - options: How the files are written.
  ///   - abandoned: If an error is thrown, the tracks of the files that the thread removes; the caller waits for them
  ///     without the lock.
  func start(
    _ paths: [RecordingPosition: String], options: RecordingOptions, abandoned: inout [RecordingTrack]
  ) throws {
    try core.checkNotFinished()
    var taken = Set(recordings.map(\.path))
    for path in paths.values where !taken.insert(path).inserted {
      throw EngineError(.invalidArgument, "\(path) is being recorded already; stop that first or choose another name")
    }
    if paths[.record] != nil { _ = try users.localUser() }
    let thread = try thread ?? RecordingThread()
    self.thread = thread
    // The audio thread goes on meanwhile: the position is taken once.
    let origin = originOfNextTick()
    var begun: [Recording] = []
    do {
      for (position, path) in paths.sorted(by: { $0.value < $1.value }) {
        let isWaiting = options.waitsForUser && users.order.isEmpty
        begun.append(Recording(path: path, position: position, options: options, origin: isWaiting ? nil : origin))
        for wanted in isWaiting ? [] : recordable(at: position) {
          try begin(wanted, of: &begun[begun.count - 1], thread)
        }
      }
    } catch {
      abandoned = begun.flatMap { $0.tracks.values }
      for track in abandoned { track.abandon() }
      thread.hurry()
      for recording in begun { try recording.remove(from: core.graph) }
      throw error
    }
    recordings += begun
    activity.set(true)
  }

  /// Ends one recording, or all (nil).
  ///
  /// - Returns: The recordings to pass to `complete`.
  func stop(_ path: String?) throws -> [Recording] {
    let ended = recordings.filter { path == nil || $0.path == path }
    if let path, ended.isEmpty { throw EngineError(.invalidArgument, "nothing is recorded to \(path)") }
    recordings.removeAll { recording in ended.contains { $0.path == recording.path } }
    activity.set(!recordings.isEmpty)
    end(ended)
    for recording in ended { try recording.remove(from: core.graph) }
    return ended
  }

  /// Ends the activity after the last tick, without the lock.
  ///
  /// - Returns: Whether there was any.
  func endActivity() -> Bool { activity.end() }

  /// Ends every recording after the last tick.
  ///
  /// - Returns: The recordings to pass to `complete`.
  func finish() -> [Recording] {
    defer { recordings = [] }
    end(recordings)
    return recordings
  }

  /// Sets the latest end of the files that are being recorded, in samples of the pipeline's time.
  func limit(to position: Int) {
    for recording in recordings { for track in recording.tracks.values { track.limit(to: position) } }
  }

  /// Pauses every recording, or resumes it, from the next tick on.
  func setPaused(_ isPaused: Bool) {
    let position = core.nowPosition
    for recording in recordings {
      for track in recording.tracks.values {
        if isPaused { track.pause(at: position) } else { track.resume(at: position) }
      }
    }
  }

  /// Waits for the files of recordings that have ended, and reports those that failed. Not under the lock: a disk may
  /// be slow.
  func complete(_ ended: [Recording]) {
    thread?.hurry()
    for var recording in ended {
      for track in recording.tracks.values { track.waitForCompletion() }
      report(&recording)
    }
  }

  /// Returns the paths to record. A source that is absent for the moment has a path without a node.
  private func recordable(at position: RecordingPosition) -> [Recording.Path] {
    let listener = core.listener
    let channels = listener.format.channelCount
    var local: [Recording.Path] = []
    if let user = users.local {
      let channelCount = user.uplink?.channelCount ?? user.source.channelCount
      local = [.init(source: .local, channelCount: channelCount, node: user.uplink?.anchor)]
    }
    switch position {
    case .mixed: return [.init(source: .mixed, channelCount: channels, node: listener.mixed)]
    case .playback: return [.init(source: .playback, channelCount: channels, node: listener.playback)]
    case .record: return local
    case .eachUser:
      return local + users.order.map(recordable)
    case .user(let uid, let channel):
      let key = users.key(uid, channelID: channel)
      return users.order.filter { $0 == key }.map(recordable)
    }
  }

  private func recordable(_ key: UserKey) -> Recording.Path {
    let user = users.remote[key]!
    return .init(source: key.recorded, channelCount: user.channelCount, node: user.downlink?.anchor)
  }

  /// Begins the file of a user that came during the recording; a failure does not fail the call that added the user.
  private func beginLate(_ wanted: Recording.Path, in index: Int) {
    do {
      try begin(wanted, of: &recordings[index], thread!)
    } catch {
      post(path: recordings[index].path, error)
    }
  }

  private func begin(_ wanted: Recording.Path, of recording: inout Recording, _ thread: RecordingThread) throws {
    try recording.begin(
      wanted, channelID: core.options.channelID, graph: core.graph, thread: thread, knownEnd: core.knownEnd,
      onRelease: core.bell)
  }

  /// Sets the end of the files: the newest sample at MIXED.
  private func end(_ ended: [Recording]) {
    let rendered = core.nowPosition - core.mixedLatency
    for recording in ended {
      for track in recording.tracks.values { track.stop(at: max(rendered, recording.origin?.position ?? 0)) }
    }
  }

  private func originOfNextTick() -> RecordingOrigin {
    let rate = core.options.sampleRate
    return RecordingOrigin(position: core.nowPosition, sampleRate: rate) { [time = core.run.time] position in
      time.utc(ofSample: position, sampleRate: rate)
    }
  }

  private func report(_ recording: inout Recording) {
    for start in recording.newStarts(before: core.nowPosition) { core.post(.recordingStarted(start)) }
    for failure in recording.newFailures() { post(path: failure.path, failure.error) }
  }

  private func post(path: String, _ error: any Error) {
    core.events.post(
      PipelineEvent(.recordingFailed(path: path, reason: "\(error)"), tickCount: core.tickCount))
  }
}

extension UserKey {
  fileprivate var recorded: RecordedSource { .remote(channelID: channelID, uid: uid) }
}
