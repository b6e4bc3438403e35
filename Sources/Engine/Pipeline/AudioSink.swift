public import AudioGraph

/// Where the pipeline's frames go.
public protocol AudioSink: AnyObject, Sendable {
  /// The node that takes them out of the graph.
  var node: any AudioNode { get }
  /// True when the next tick's frame finds room. Thread: audio, between ticks.
  var isReady: Bool { get }
  /// Asks whoever takes the frames to make room. Thread: audio, between ticks, offline only.
  func requestRoom()
  /// Says that no frame will follow. Thread: control or the one that ticked, after the last tick.
  func endOfStream()
}

extension AudioSink {
  /// Does nothing.
  public func endOfStream() {}
}
