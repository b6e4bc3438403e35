import AudioFiles
import AudioGraph

/// A recording that `startAudioRecording` began: its files, and its remaining tasks.
struct Recording {
  /// Content of one file.
  enum Source: Hashable {
    case mixed
    case playback
    case local
    case remote(UserKey)
  }

  /// The path to record of a source now.
  struct Path {
    let source: Source
    let channelCount: Int
    /// Node that provides the frames; nil while there are none.
    let node: NodeID?
  }

  let path: String
  let position: RecordingPosition
  let options: RecordingOptions
  /// Position of the first sample; nil while the recording waits for a remote user.
  var startPosition: Int?
  private(set) var tracks: [Source: RecordingTrack] = [:]
  /// Sources with a file that could not be created; they are not tried again.
  private(set) var refused: Set<Source> = []
  /// Files with a failure that has been reported.
  private var reported: Set<String> = []

  init(path: String, position: RecordingPosition, options: RecordingOptions, startPosition: Int?) {
    self.path = path
    self.position = position
    self.options = options
    self.startPosition = startPosition
  }

  /// Begins the file of a source.
  mutating func begin(
    _ wanted: Path, channelID: String, graph: Graph, thread: RecordingThread, knownEnd: KnownEnd, onRelease: Doorbell
  ) throws {
    do {
      let track = try RecordingTrack(
        path: filePath(of: wanted.source, channelID: channelID), channelCount: wanted.channelCount,
        sampleRate: graph.sampleRate, startPosition: startPosition ?? 0, knownEnd: knownEnd, options: options,
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
  func connect(_ wanted: Path, graph: Graph) throws {
    try tracks[wanted.source]?.connect(wanted.node, channelCount: wanted.channelCount, graph: graph)
  }

  /// Removes the recording's nodes from the graph.
  func remove(from graph: Graph) throws {
    for track in tracks.values { try track.remove(from: graph) }
  }

  /// Returns the files that have failed since the previous call, in order of their names.
  mutating func newFailures() -> [(path: String, error: AudioFileError)] {
    var failures: [(path: String, error: AudioFileError)] = []
    for track in tracks.values.sorted(by: { $0.path < $1.path }) {
      guard let error = track.failure, reported.insert(track.path).inserted else { continue }
      failures.append((track.path, error))
    }
    return failures
  }

  /// Returns the file of a source: the recording's own path, or for each user `talk.7.wav`, `talk.CHANNEL.7.wav` in
  /// another channel, and `talk.local.wav`.
  private func filePath(of source: Source, channelID: String) -> String {
    let mark: String
    switch (position, source) {
    case (.eachUser, .remote(let key)):
      let channel = key.channelID == channelID ? "" : key.channelID.replacing("/", with: "_") + "."
      mark = "\(channel)\(key.uid)"
    case (.eachUser, _): mark = "local"
    default: return path
    }
    let folder = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
    guard let point = path[folder...].lastIndex(of: "."), point > folder else { return "\(path).\(mark)" }
    return "\(path[..<point]).\(mark)\(path[point...])"
  }
}
