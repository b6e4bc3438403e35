public import AudioGraph

extension PullSink {
  /// A sink for the frames of a pipeline.
  ///
  /// - Parameters:
  ///   - format: what will be pulled; 1 or 2 channels, or as many as the pipeline has.
  ///   - pipeline: whose frames.
  ///   - capacity: 10 ms frames that may wait, 1 to 60000.
  /// - Throws: `EngineError` with code `.invalidArgument` for a format that the frames cannot be brought to, or a
  ///   capacity out of range.
  public convenience init(_ format: AudioFormat, of pipeline: AudioPipeline, capacity: Int = 20) throws(EngineError) {
    try self.init(
      format, from: pipeline.core.listener.format, isLossless: pipeline.options.isLossless, capacity: capacity,
      knownEnd: pipeline.knownEnd, onRelease: pipeline.bell)
  }
}
