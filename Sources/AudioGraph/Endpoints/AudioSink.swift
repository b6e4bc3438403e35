/// Where the pipeline's frames go.
public protocol AudioSink: AnyObject, Sendable {
  /// The node that takes them out of the graph.
  var node: any AudioNode { get }
  /// True when the next tick's frame finds room. Thread: audio, between ticks.
  var isReady: Bool { get }
  /// How many ticks' frames find room from now on. Thread: audio, between ticks.
  var readyTicks: Int { get }
  /// Asks whoever takes the frames to make room. Thread: audio, between ticks, offline only.
  func requestRoom()
  /// Says that no frame will follow. Thread: control or the one that ticked, after the last tick.
  func endOfStream()
  /// Completes what was written. Thread: control, after `endOfStream`. Throws: the first error of writing.
  func finish() throws
}

extension AudioSink {
  /// The next one, where that is known.
  public var readyTicks: Int { isReady ? 1 : 0 }

  /// Does nothing.
  public func endOfStream() {}

  /// Does nothing.
  public func finish() {}
}
