/// How far an offline run has come.
public struct PipelineProgress: Hashable, Sendable {
  /// Sound rendered so far.
  public let position: Duration
  /// Where the longest source ends; nil while a source does not know its end.
  public let end: Duration?
}
