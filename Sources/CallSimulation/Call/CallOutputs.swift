public import AudioFiles
import Engine

/// What a simulated call leaves on the disk.
public struct CallOutputs: Hashable, Sendable {
  /// A folder for `<listener>_from_<uid>.wav`, what a listener has of each user, and `<listener>.wav`, all of them
  /// mixed; for who plays something for himself alone also `<listener>_mixed.wav`, with that and his own voice.
  public var eachFolder: String?
  /// The file for what a listener hears who says nothing: all users, over links of his own.
  public var mixedPath: String?
  /// How samples are stored.
  public var sampleFormat: SampleFormat
  /// Whether existing files may be replaced.
  public var overwrite: Bool

  /// Outputs from their parts; by default none.
  public init(
    eachFolder: String? = nil, mixedPath: String? = nil, sampleFormat: SampleFormat = .int16, overwrite: Bool = false
  ) {
    self.eachFolder = eachFolder
    self.mixedPath = mixedPath
    self.sampleFormat = sampleFormat
    self.overwrite = overwrite
  }
}
