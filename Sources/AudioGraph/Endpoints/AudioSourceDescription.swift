/// A description of a source that a pipeline makes when a user is added: `.file("talk.wav")`, `.push(format)`.
///
/// A program's custom source conforms to it if the source needs the pipeline's rate or its doorbell. Any other
/// `AudioSource` can be given to the pipeline as it is.
public protocol AudioSourceDescription {
  /// Type of the source.
  associatedtype Source: AudioSource

  /// Makes the source of a user. Thread: control.
  func makeSource(uid: UInt32, in context: PipelineContext) throws -> Source
}
