import AudioGraph

/// A node that hands frames to one observer at one place.
protocol ObserverNode: AudioNode {
  /// Samples per channel, at the observer's rate, by which its frames lag behind the pipeline's.
  var observationDelay: Int { get }
}
