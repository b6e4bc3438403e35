/// A span of speech in a sound.
public struct SpeechSegment: BitwiseCopyable, Hashable, Sendable {
  /// Start of the span, in samples per channel from the first of the sound.
  public let startPosition: Int
  /// End of the span, behind its last sample.
  public let endPosition: Int
  /// Start of the span, in seconds.
  public let startSeconds: Double
  /// End of the span, in seconds.
  public let endSeconds: Double

  init(_ range: Range<Int>, sampleRate: Int) {
    startPosition = range.lowerBound
    endPosition = range.upperBound
    startSeconds = Double(range.lowerBound) / Double(sampleRate)
    endSeconds = Double(range.upperBound) / Double(sampleRate)
  }
}
