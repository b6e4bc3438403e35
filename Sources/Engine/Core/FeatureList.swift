import AudioGraph

/// The features of a pipeline, in the order in which they are reconciled and collected.
struct FeatureList {
  private var features: [any PipelineFeature] = []

  /// Appends a feature.
  ///
  /// - Returns: The feature.
  mutating func add<Feature: PipelineFeature>(_ feature: Feature) -> Feature {
    features.append(feature)
    return feature
  }

  func reconcile(graph: Graph) throws {
    for feature in features { try feature.reconcile(graph: graph) }
  }

  func collect() {
    for feature in features { feature.collect() }
  }

  /// Whether any feature has something to report. Thread: any, without the lock.
  var isAnyActive: Bool { features.contains { $0.isActive } }

  /// Whether any feature has news that nothing reports. Thread: any, without the lock.
  var isAnyPolled: Bool { features.contains { $0.isPolled } }

  /// Collects from the features that have something to report.
  func collectActive() {
    for feature in features where feature.isActive { feature.collect() }
  }

  /// Sweeps every feature, also after one that fails.
  ///
  /// - Returns: True if the graph has changed.
  func sweep(graph: Graph) -> Bool {
    features.reduce(false) { hasChanged, feature in (try? feature.sweep(graph: graph)) == true || hasChanged }
  }
}
