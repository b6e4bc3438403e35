import AudioGraph

/// Replaces the output in a graph that is only inspected.
final class PreviewSink: AudioSink {
  let node: any AudioNode

  init(_ format: AudioFormat) {
    node = FrameSinkNode(
      writing: FrameRing(capacity: 1, format: format).takeProducer(), channelCount: format.channelCount)
  }

  var isReady: Bool { true }
  func requestCapacity() {}
}
