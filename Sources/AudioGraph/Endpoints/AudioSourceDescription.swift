/// A source that a pipeline makes when a user is added: `.file("talk.wav")`, `.push(format)`.
///
/// A program's own kind of source conforms to it where the source needs the pipeline's rate or its doorbell; any other
/// `AudioSource` can be given to the pipeline as it is.
public protocol AudioSourceDescription {
  /// The source that it makes.
  associatedtype Source: AudioSource

  /// Makes the source of a user. Thread: control.
  func makeSource(uid: UInt32, in context: PipelineContext) throws -> Source
}
