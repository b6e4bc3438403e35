public import AudioGraph

/// A user whose samples a program pushes.
public struct PushSourceDescription: AudioSourceDescription {
  fileprivate let format: AudioFormat
  fileprivate let buffer: Duration

  public func makeSource(uid: UInt32, in context: PipelineContext) throws -> PushSource {
    try PushSource(
      format, sampleRate: context.sampleRate, uid: uid, capacityMilliseconds: Int(buffer / .milliseconds(1)),
      ready: context.ready)
  }
}

extension AudioSourceDescription where Self == PushSourceDescription {
  /// Samples that a program pushes, in a format of its own.
  ///
  /// - Parameter buffer: audio that may wait, 20 ms to 10 minutes.
  public static func push(_ format: AudioFormat, buffer: Duration = .milliseconds(200)) -> Self {
    PushSourceDescription(format: format, buffer: buffer)
  }
}
