public import AudioGraph

/// First sample of a recorded file: its time, and its place in the recorder's own time.
///
/// A WAV file has it in a `bext` chunk. FLAC, Ogg, Opus, CAF and MP3 have it as date and comment, AIFF as comment.
/// Other kinds have no place for it.
public struct FirstSample: Hashable, Sendable {
  /// Time of the sample.
  public let time: UTCTime
  /// Position of the sample, in samples of the recorder's time.
  public let position: Int
  /// Rate of the recorder's time, in Hz; the file may have another one.
  public let sampleRate: Int

  /// Creates the first sample of a file.
  public init(time: UTCTime, position: Int, sampleRate: Int) {
    self.time = time
    self.position = position
    self.sampleRate = sampleRate
  }

  /// Returns the tags of a kind of file without a chunk for it. ID3v2.3 has years alone.
  func tags(for container: AudioContainer) -> AudioTags {
    var tags = AudioTags()
    tags[.date] = container == .mp3 ? String(time.date.prefix(4)) : "\(time)"
    tags[.comment] = sentence
    return tags
  }

  /// The first sample in words.
  var sentence: String { "first sample at \(time), sample \(position) of the pipeline's time at \(sampleRate) Hz" }
}
