public import AudioGraph

/// First sample of a recorded file: its time, and its place in the recorder's own time.
///
/// A WAV file has it in a `bext` chunk, other kinds as date and comment.
public struct FirstSample: Hashable, Sendable {
  /// Time of the sample.
  public let time: UTCTime
  /// Position of the sample, in samples of the recorder's time.
  public let position: Int

  /// Creates the first sample of a file.
  public init(time: UTCTime, position: Int) {
    self.time = time
    self.position = position
  }

  /// The tags of a kind of file without a chunk for it.
  var tags: AudioTags {
    var tags = AudioTags()
    tags[.date] = "\(time)"
    tags[.comment] = sentence
    return tags
  }

  /// The first sample in words.
  var sentence: String { "first sample at \(time), sample \(position) of the pipeline's time" }
}
