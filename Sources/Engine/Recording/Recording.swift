import AudioFiles
import AudioGraph

/// What `startAudioRecording` began: its files, and what it still has to look after.
struct Recording {
  /// What one file holds.
  enum Source: Hashable {
    case mixed
    case playback
    case local
    case remote(UserKey)
  }

  /// What there is to record of a source now.
  struct Path {
    let source: Source
    let channelCount: Int
    /// Where the frames come from; nil while there are none.
    let node: NodeID?
  }

  let path: String
  let position: RecordingPosition
  let options: RecordingOptions
  let startPosition: Int
  private(set) var tracks: [Source: RecordingTrack] = [:]
  /// Sources whose file could not be made: they are not tried again.
  private(set) var refused: Set<Source> = []
  /// Files whose failure has been told.
  private var reported: Set<String> = []

  init(path: String, position: RecordingPosition, options: RecordingOptions, startPosition: Int) {
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
        sampleRate: graph.sampleRate, startPosition: startPosition, knownEnd: knownEnd, options: options,
        onRelease: onRelease)
      try track.add(to: graph)
      tracks[wanted.source] = track
      thread.add(track)
    } catch {
      refused.insert(wanted.source)
      throw error
    }
  }

  /// Connects a source's file to where its frames come from now.
  func connect(_ wanted: Path, graph: Graph) throws {
    try tracks[wanted.source]?.connect(wanted.node, channelCount: wanted.channelCount, graph: graph)
  }

  /// Takes its nodes out of the graph.
  func remove(from graph: Graph) throws {
    for track in tracks.values { try track.remove(from: graph) }
  }

  /// The files that have failed since this was asked last, in order of their names.
  mutating func newFailures() -> [(path: String, error: AudioFileError)] {
    var failures: [(path: String, error: AudioFileError)] = []
    for track in tracks.values.sorted(by: { $0.path < $1.path }) {
      guard let error = track.failure, reported.insert(track.path).inserted else { continue }
      failures.append((track.path, error))
    }
    return failures
  }

  /// The file of a source: the recording's own path, or for each user `talk.7.wav`, `talk.CHANNEL.7.wav` in another
  /// channel, and `talk.local.wav`.
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
