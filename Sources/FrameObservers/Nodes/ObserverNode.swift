import AudioGraph

/// A node that delivers frames to one observer at one tap point.
protocol ObserverNode: AudioNode {
  /// Samples per channel, at the observer's rate, by which its frames lag behind the pipeline's.
  var observationDelay: Int { get }
}
