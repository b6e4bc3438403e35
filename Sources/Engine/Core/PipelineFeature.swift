import AudioGraph

/// A part of a pipeline that adds nodes to the graph, reports events, or both, and keeps its own state.
///
/// A pipeline calls its features in the order in which `FeatureList` has them.
///
/// Thread: control, under the pipeline's lock, but for `isActive`.
protocol PipelineFeature: AnyObject {
  /// Whether `collect` is to be called after ticks. A `FeatureActivity` is one way. Thread: any, without the lock.
  var isActive: Bool { get }
  /// Connects the feature's nodes to the paths that the graph has now. Within an edit.
  func reconcile(graph: Graph) throws
  /// Reports the events of all ticks that are over. An edit begins with it, so that ticks meet the users that they had.
  func collect()
  /// Removes nodes that nobody needs any more. Returns: true when the graph has changed.
  func sweep(graph: Graph) throws -> Bool
}

extension PipelineFeature {
  func sweep(graph: Graph) throws -> Bool { false }
}
