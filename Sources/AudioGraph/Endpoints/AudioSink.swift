/// A destination of the pipeline's frames.
public protocol AudioSink: AnyObject, Sendable {
  /// Node that takes the frames out of the graph.
  var node: any AudioNode { get }
  /// Whether the sink has capacity for the next tick's frame. Thread: audio, between ticks.
  var isReady: Bool { get }
  /// Number of ticks, from now on, for which the sink has capacity. Thread: audio, between ticks.
  var readyTicks: Int { get }
  /// Requests capacity from the consumer of the frames. Thread: audio, between ticks, offline only.
  func requestCapacity()
  /// Notifies the sink that no frame will follow. Thread: control or the one that ticked, after the last tick.
  func endOfStream()
  /// Completes the output. Thread: control, after `endOfStream`.
  ///
  /// - Throws: The first error of writing.
  func finish() throws
  /// Completes an output that lacks the end of its sound, since the run was cancelled. A file stays apart from a
  /// complete one. Thread: control, after `endOfStream`.
  ///
  /// - Throws: The first error of writing.
  func finishCancelled() throws
}

extension AudioSink {
  /// Number of ticks, from now on, for which the sink has capacity: 1 when `isReady`, else 0.
  public var readyTicks: Int { isReady ? 1 : 0 }

  /// Does nothing by default.
  public func endOfStream() {}

  /// Does nothing by default.
  public func finish() {}

  /// Calls `finish` by default.
  public func finishCancelled() throws { try finish() }
}
