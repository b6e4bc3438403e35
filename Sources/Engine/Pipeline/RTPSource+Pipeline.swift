public import MediaStreams
public import Platform

extension RTPSource {
  /// A source for a pipeline.
  ///
  /// - Parameters:
  ///   - pipeline: the one that it will be added to.
  ///   - capacity: packets that may wait between two ticks.
  /// - Throws: `EngineError` with code `.invalidArgument` for options out of range.
  public convenience init(
    _ options: JitterBufferOptions, of pipeline: AudioPipeline, capacity: Int = RTPSource.burstCapacity
  ) throws(EngineError) {
    try self.init(options, isOffline: pipeline.options.isOffline, ready: pipeline.bell, capacity: capacity)
  }
}
