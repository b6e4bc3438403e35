package import AudioFiles
package import AudioGraph

/// A recording that `startAudioRecording` began: its files, and its remaining tasks.
package struct Recording {
  /// The path to record of a source now.
  package struct Path {
    package let source: RecordedSource
    let channelCount: Int
    /// Node that provides the frames; nil while there are none.
    let node: NodeID?

    package init(source: RecordedSource, channelCount: Int, node: NodeID?) {
      self.source = source
      self.channelCount = channelCount
      self.node = node
    }
  }

  package let path: String
  package let position: RecordingPosition
  package let options: RecordingOptions
  /// The first sample; nil while the recording waits for a remote user.
  package var origin: RecordingOrigin?
  package private(set) var tracks: [RecordedSource: RecordingTrack] = [:]
  /// Sources with a file that could not be created; they are not tried again.
  package private(set) var refused: Set<RecordedSource> = []
  /// Files with a start that has been reported.
  private var started: Set<String> = []
  /// Files with a failure that has been reported.
  private var failed: Set<String> = []

  package init(path: String, position: RecordingPosition, options: RecordingOptions, origin: RecordingOrigin?) {
    self.path = path
    self.position = position
    self.options = options
    self.origin = origin
  }

  /// Begins the file of a source.
  package mutating func begin(
    _ wanted: Path, channelID: String, graph: Graph, thread: RecordingThread, knownEnd: KnownEnd, onRelease: Doorbell
  ) throws {
    guard let origin else { return }
    do {
      let track = try RecordingTrack(
        path: filePath(of: wanted.source, channelID: channelID), channelCount: wanted.channelCount,
        sampleRate: graph.sampleRate, origin: origin, knownEnd: knownEnd, options: options,
        onRelease: onRelease)
      try track.add(to: graph)
      tracks[wanted.source] = track
      thread.add(track)
    } catch {
      refused.insert(wanted.source)
      throw error
    }
  }

  /// Connects a source's file to the node that provides its frames now.
  package func connect(_ wanted: Path, graph: Graph) throws {
    try tracks[wanted.source]?.connect(wanted.node, channelCount: wanted.channelCount, graph: graph)
  }

  /// Removes the recording's nodes from the graph.
  package func remove(from graph: Graph) throws {
    for track in tracks.values { try track.remove(from: graph) }
  }

  /// Returns the files with a first sample that has been rendered since the previous call, in order of their names.
  ///
  /// - Parameter now: Position behind the newest sample, in samples of the pipeline's time.
  package mutating func newStarts(before now: Int) -> [RecordingStart] {
    guard let origin, origin.position < now, started.count < tracks.count else { return [] }
    var starts: [RecordingStart] = []
    for path in tracks.values.map(\.path).sorted() where started.insert(path).inserted {
      starts.append(
        RecordingStart(
          path: path, samplePosition: origin.position, sampleRate: origin.sampleRate, time: origin.time))
    }
    return starts
  }

  /// Returns the files that have failed since the previous call, in order of their names.
  package mutating func newFailures() -> [(path: String, error: AudioFileError)] {
    var failures: [(path: String, error: AudioFileError)] = []
    for track in tracks.values.sorted(by: { $0.path < $1.path }) {
      guard let error = track.failure, failed.insert(track.path).inserted else { continue }
      failures.append((track.path, error))
    }
    return failures
  }

  /// Returns the file of a source: the recording's own path, or for each user `talk.7.wav`, `talk.CHANNEL.7.wav` in
  /// another channel, and `talk.local.wav`.
  private func filePath(of source: RecordedSource, channelID: String) -> String {
    let mark: String
    switch (position, source) {
    case (.eachUser, .remote(let userChannel, let uid)):
      let channel = userChannel == channelID ? "" : userChannel.replacing("/", with: "_") + "."
      mark = "\(channel)\(uid)"
    case (.eachUser, _): mark = "local"
    default: return path
    }
    let folder = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
    guard let point = path[folder...].lastIndex(of: "."), point > folder else { return "\(path).\(mark)" }
    return "\(path[..<point]).\(mark)\(path[point...])"
  }
}
