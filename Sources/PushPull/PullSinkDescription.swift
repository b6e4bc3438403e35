public import AudioGraph

/// A sink from which a program pulls frames.
public struct PullSinkDescription: AudioSinkDescription {
  fileprivate let format: AudioFormat
  fileprivate let capacity: Int

  public func makeSink(in context: PipelineContext) throws -> PullSink {
    let native = try AudioFormat(sampleRate: context.sampleRate, channelCount: context.channelCount)
    return try PullSink(
      format, from: native, isOffline: context.isOffline, capacity: capacity, endPosition: context.endPosition,
      onRelease: context.ready)
  }
}

extension AudioSinkDescription where Self == PullSinkDescription {
  /// A sink from which a program pulls samples in a custom format: 1 or 2 channels, or as many as the pipeline has.
  ///
  /// - Parameters:
  ///   - format: Format of the samples.
  ///   - capacity: Number of 10 ms frames that may wait, 1 to 60000.
  public static func pull(_ format: AudioFormat, capacity: Int = 20) -> Self {
    PullSinkDescription(format: format, capacity: capacity)
  }
}
