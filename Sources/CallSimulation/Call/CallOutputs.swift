public import AudioFiles
import Engine

/// Files that a simulated call writes.
public struct CallOutputs: Hashable, Sendable {
  /// Folder for `<listener>_from_<uid>.wav`, the voice of one user at a listener, and `<listener>.wav`, all voices
  /// mixed. A voice of another channel than the call is `<listener>_from_<uid>_in_<channel>.wav`. A listener that plays
  /// a sound for itself alone also gets `<listener>_mixed.wav`, with that sound and its own voice.
  public var eachFolder: String?
  /// Path of the file for the silent listener: all users, over its own links.
  public var mixedPath: String?
  /// Path of a packet capture (pcap) with the datagrams of a call through a relay, encrypted as they are.
  public var capturePath: String?
  /// Format of stored samples.
  public var sampleFormat: SampleFormat
  /// Whether existing files may be replaced.
  public var overwrite: Bool

  /// Creates outputs from their parts; by default there are none.
  public init(
    eachFolder: String? = nil, mixedPath: String? = nil, capturePath: String? = nil,
    sampleFormat: SampleFormat = .int16, overwrite: Bool = false
  ) {
    self.eachFolder = eachFolder
    self.mixedPath = mixedPath
    self.capturePath = capturePath
    self.sampleFormat = sampleFormat
    self.overwrite = overwrite
  }
}
