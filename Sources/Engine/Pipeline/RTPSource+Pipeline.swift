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

  /// Creates a source that holds each packet for a time, so that its sound is heard that much later.
  ///
  /// - Throws: As the other one.
  package convenience init(
    _ options: JitterBufferOptions, of pipeline: AudioPipeline, holding time: Duration
  ) throws(EngineError) {
    // Packets of 10 ms, and a burst beside them.
    let capacity = Self.burstCapacity + Int(time / .milliseconds(10))
    try self.init(
      options, isOffline: pipeline.options.isOffline, ready: pipeline.bell, capacity: capacity,
      holdNanoseconds: Int(time / .nanoseconds(1)))
  }
}
