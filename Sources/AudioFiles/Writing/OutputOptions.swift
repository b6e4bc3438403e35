/// Options of an output.
public struct OutputOptions: Hashable, Sendable {
  /// Stored format of the samples; lossy formats ignore it.
  public var sampleFormat: SampleFormat
  /// Seed of the dither for 8 and 16 bits; nil: no dither.
  public var ditherSeed: UInt64?
  /// Start of the dither.
  public var ditherStart: DitherStart
  /// Name under which the file grows.
  public var placement: OutputPlacement
  /// Whether an existing file may be replaced.
  public var overwrite: Bool
  /// Loudspeakers of the channels, bit by bit as in WAV; 0 for the usual ones. A kind of file that cannot store them
  /// warns.
  public var speakers: UInt32
  /// Texts about the sound in the file, if its kind can have them.
  public var tags: AudioTags

  /// Creates options from their parts.
  public init(
    sampleFormat: SampleFormat, ditherSeed: UInt64? = nil, ditherStart: DitherStart = .atOnce,
    placement: OutputPlacement = .partThenRename, overwrite: Bool = false,
    speakers: UInt32 = 0, tags: AudioTags = AudioTags()
  ) {
    self.sampleFormat = sampleFormat
    self.ditherSeed = ditherSeed
    self.ditherStart = ditherStart
    self.placement = placement
    self.overwrite = overwrite
    self.speakers = speakers
    self.tags = tags
  }
}
