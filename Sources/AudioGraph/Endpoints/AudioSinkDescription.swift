/// A description of a sink that a pipeline makes when the sink is added: `.file("out.wav")`, `.pull(format)`.
public protocol AudioSinkDescription {
  /// Type of the sink.
  associatedtype Sink: AudioSink

  /// Makes the sink. Thread: control.
  func makeSink(in context: PipelineContext) throws -> Sink
}
