public import AudioGraph

/// What there is to know about a sound file before it is played.
public struct AudioFileInfo: Hashable, Sendable {
  /// The file.
  public let path: String
  /// Rate and channels.
  public let format: AudioFormat
  /// Samples per channel; nil where only the end will tell.
  public let samplesPerChannel: Int?

  /// Looks at the file's header. Thread: any that may wait for the disk.
  ///
  /// Throws: what is wrong with the file and what to do.
  public init(path: String) throws(AudioFileError) {
    let reader = try AudioFileReader.open(path: path)
    self.path = path
    format = reader.format
    samplesPerChannel = reader.samplesPerChannel
  }

  /// How long it plays, rounded down; nil where only the end will tell.
  public var durationMilliseconds: Int? { samplesPerChannel.map { $0 * 1_000 / format.sampleRate } }
}
