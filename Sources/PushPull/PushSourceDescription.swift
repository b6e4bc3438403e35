public import AudioGraph

/// A user with samples that a program pushes.
public struct PushSourceDescription: AudioSourceDescription {
  fileprivate let format: AudioFormat
  fileprivate let buffer: Duration

  public func makeSource(uid: UInt32, in context: PipelineContext) throws -> PushSource {
    try PushSource(format, sampleRate: context.sampleRate, uid: uid, buffer: buffer, ready: context.ready)
  }
}

extension AudioSourceDescription where Self == PushSourceDescription {
  /// A source of samples that a program pushes, in a custom format.
  ///
  /// - Parameters:
  ///   - format: Format of the samples.
  ///   - buffer: Duration of the audio that may wait, 20 ms to 10 minutes.
  public static func push(_ format: AudioFormat, buffer: Duration = .seconds(2)) -> Self {
    PushSourceDescription(format: format, buffer: buffer)
  }
}
