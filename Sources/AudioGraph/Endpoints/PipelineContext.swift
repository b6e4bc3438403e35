public import Platform

/// The pipeline that a source or a sink is connected to, as far as they need to know it.
public struct PipelineContext: Sendable {
  /// Samples per second inside the graph, in Hz.
  public let sampleRate: Int
  /// Channels of the listener's sound.
  public let channelCount: Int
  /// Whether the pipeline waits for sources and sinks. In a live one, a source without frames is silent and a full sink
  /// drops frames.
  public let isOffline: Bool
  /// Doorbell to ring when frames have arrived or have been taken: a tick may have become possible. Thread: any.
  public let ready: Doorbell
  /// Position behind the last sample of the longest source, in samples per channel; nil while a source does not know
  /// its end. Thread: any.
  public let endPosition: @Sendable () -> Int?

  package init(
    sampleRate: Int, channelCount: Int, isOffline: Bool, ready: Doorbell,
    endPosition: @escaping @Sendable () -> Int?
  ) {
    self.sampleRate = sampleRate
    self.channelCount = channelCount
    self.isOffline = isOffline
    self.ready = ready
    self.endPosition = endPosition
  }
}
