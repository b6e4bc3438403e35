public import AudioFiles

/// How a recording is written.
public struct RecordingOptions: Hashable, Sendable {
  /// How samples are stored; lossy formats take no notice of it. With Float32 nothing is rounded.
  public var sampleFormat: SampleFormat
  /// Rate of the files in Hz; nil: the pipeline's.
  public var sampleRate: Int?
  /// The seed of the dither for 8 and 16 bits; nil: none.
  public var ditherSeed: UInt64?
  /// Whether existing files may be replaced.
  public var overwrite: Bool
  /// Whether silence is written only when something follows it, or the end is said to lie behind it: so the end may be
  /// found later, with `limitRecordings(to:)`.
  package var holdsSilence = false

  /// Options from their parts.
  public init(
    sampleFormat: SampleFormat = .int16, sampleRate: Int? = nil, ditherSeed: UInt64? = nil, overwrite: Bool = false
  ) {
    self.sampleFormat = sampleFormat
    self.sampleRate = sampleRate
    self.ditherSeed = ditherSeed
    self.overwrite = overwrite
  }
}
