public import AudioFiles

/// Settings of a recording's files.
public struct RecordingOptions: Hashable, Sendable {
  /// Format of the samples; lossy file formats ignore it. Float32 rounds nothing.
  public var sampleFormat: SampleFormat
  /// Rate of the files in Hz; nil: the pipeline's.
  public var sampleRate: Int?
  /// Seed of the dither for 8 and 16 bits; nil: none.
  public var ditherSeed: UInt64?
  /// Whether existing files may be replaced.
  public var overwrite: Bool
  /// Whether silence is written only when something follows it, or the end is known to be behind it. The end may then
  /// be found later, with `RecorderControls.limit(to:)`.
  package var holdsSilence = false
  /// Whether files begin with the first remote user, before that user's first sample, if there is none at the start.
  package var waitsForUser = false

  /// Creates options.
  public init(
    sampleFormat: SampleFormat = .int16, sampleRate: Int? = nil, ditherSeed: UInt64? = nil, overwrite: Bool = false
  ) {
    self.sampleFormat = sampleFormat
    self.sampleRate = sampleRate
    self.ditherSeed = ditherSeed
    self.overwrite = overwrite
  }
}
