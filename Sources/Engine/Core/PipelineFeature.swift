import AudioGraph

/// A part of a pipeline that adds nodes to the graph, reports events, or both, and keeps its own state.
///
/// A pipeline calls its features in the order of `FeatureList`.
///
/// Thread: control, under the pipeline's lock, except `isActive`.
protocol PipelineFeature: AnyObject {
  /// Whether `collect` must be called after ticks. A `FeatureActivity` can provide it. Thread: any, without the lock.
  var isActive: Bool { get }
  /// Whether `collect` must be called every 10 ms of a live run: its nodes do not report news, and they cannot wait.
  var isPolled: Bool { get }
  /// Connects the feature's nodes to the paths that the graph has now. Within an edit.
  func reconcile(graph: Graph) throws
  /// Reports the events of all completed ticks. An edit begins with it, so that ticks find the users that they had.
  func collect()
  /// Removes nodes that are not needed any more.
  ///
  /// - Returns: True if the graph has changed.
  func sweep(graph: Graph) throws -> Bool
}

extension PipelineFeature {
  var isPolled: Bool { isActive }
  func sweep(graph: Graph) throws -> Bool { false }
}
