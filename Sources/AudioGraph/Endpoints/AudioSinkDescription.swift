/// A sink that a pipeline makes when it is added: `.file("out.wav")`, `.pull(format)`.
public protocol AudioSinkDescription {
  /// The sink that it makes.
  associatedtype Sink: AudioSink

  /// Makes the sink. Thread: control.
  func makeSink(in context: PipelineContext) throws -> Sink
}
