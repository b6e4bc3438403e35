public import MediaStreams
public import Platform

extension RTPSource {
  /// Creates a source for a pipeline.
  ///
  /// - Parameters:
  ///   - options: Options of the jitter buffer.
  ///   - pipeline: The pipeline that the source will be added to.
  ///   - capacity: Number of packets that may wait between two ticks.
  /// - Throws: `EngineError` with code `.invalidArgument` for options out of range.
  public convenience init(
    _ options: JitterBufferOptions, of pipeline: AudioPipeline, capacity: Int = RTPSource.burstCapacity
  ) throws(EngineError) {
    try self.init(options, isOffline: pipeline.options.isOffline, ready: pipeline.bell, capacity: capacity)
  }
}
