/// Settings of a pipeline; fixed for its life.
public struct PipelineOptions: Hashable, Sendable {
  /// Whether a pipeline follows a clock.
  public enum Mode: Hashable, Sendable {
    /// Ticks every 10 ms of a clock. A source without frames is silent, and a full sink loses frames.
    case live
    /// Ticks as soon as sources, sinks and asynchronous observers are ready, so that no frame is lost.
    case offline
  }

  /// Whether the pipeline is live or offline.
  public var mode: Mode
  /// Samples per second inside the graph, in Hz, 8000 to 192000.
  public var sampleRate: Int
  /// Channels of the listener's sound, 1 to 8.
  public var channelCount: Int
  /// Channel of users that do not name another one.
  public var channelID: String

  /// Creates options.
  public init(mode: Mode = .live, sampleRate: Int = 48_000, channelCount: Int = 2, channelID: String = "") {
    self.mode = mode
    self.sampleRate = sampleRate
    self.channelCount = channelCount
    self.channelID = channelID
  }

  /// Whether the pipeline waits for its sources and sinks.
  public var isOffline: Bool { mode == .offline }
}
