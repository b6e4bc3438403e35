/// Progress of an offline run.
public struct PipelineProgress: Hashable, Sendable {
  /// Duration of the sound rendered so far.
  public let position: Duration
  /// End of the longest source; nil while a source does not know its end.
  public let end: Duration?
}
