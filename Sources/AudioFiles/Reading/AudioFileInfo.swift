public import AudioGraph

/// Facts about a sound file before it is played.
public struct AudioFileInfo: Hashable, Sendable {
  /// Path of the file.
  public let path: String
  /// Sample rate and channels.
  public let format: AudioFormat
  /// Samples per channel; nil if only the end of the file shows them.
  public let samplesPerChannel: Int?

  /// Reads the file's header. Thread: any that may wait for the disk.
  ///
  /// - Throws: The fault of the file and the remedy.
  public init(path: String) throws(AudioFileError) {
    let reader = try AudioFileReader.open(path: path)
    self.path = path
    format = reader.format
    samplesPerChannel = reader.samplesPerChannel
  }

  /// Duration in milliseconds, rounded down; nil if only the end of the file shows it.
  public var durationMilliseconds: Int? { samplesPerChannel.map { $0 * 1_000 / format.sampleRate } }
}
