public import AudioGraph

/// First sample of a recording's file, for lining files up that were recorded by several pipelines.
public struct RecordingStart: Hashable, Sendable {
  /// The file.
  public let path: String
  /// Position of the first sample, in samples of the pipeline's time.
  public let samplePosition: Int
  /// Rate of the pipeline's time, in Hz; the file may have another one.
  public let sampleRate: Int
  /// Time of the tick that the first sample entered the pipeline with, by the system's clock; nil offline. Sound from
  /// a device or the network is older by that path's delay.
  public let time: UTCTime?

  /// Creates a start.
  public init(path: String, samplePosition: Int, sampleRate: Int, time: UTCTime?) {
    self.path = path
    self.samplePosition = samplePosition
    self.sampleRate = sampleRate
    self.time = time
  }
}
