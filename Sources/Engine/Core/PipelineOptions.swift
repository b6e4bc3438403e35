/// How a pipeline is made; fixed for its life.
public struct PipelineOptions: Sendable {
  /// Samples per second inside the graph, in Hz, 8000 to 192000.
  public var sampleRate: Int
  /// Channels of what the listener hears, 1 to 8.
  public var channelCount: Int
  /// The channel that users belong to unless they name another.
  public var channelID: String
  /// True offline: the pipeline waits for its sources, sinks and asynchronous observers, and nothing is dropped.
  public var isLossless: Bool

  /// Options from their parts.
  public init(sampleRate: Int = 48_000, channelCount: Int = 2, channelID: String = "", isLossless: Bool = false) {
    self.sampleRate = sampleRate
    self.channelCount = channelCount
    self.channelID = channelID
    self.isLossless = isLossless
  }
}
