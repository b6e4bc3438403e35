/// How an output is written.
public struct OutputOptions: Hashable, Sendable {
  /// How samples are stored; lossy formats take no notice of it.
  public var sampleFormat: SampleFormat
  /// The seed of the dither for 8 and 16 bits; nil: none.
  public var ditherSeed: UInt64?
  /// From where on it is dithered.
  public var ditherStart: DitherStart
  /// Under which name the file grows.
  public var placement: OutputPlacement
  /// Whether an existing file may be replaced.
  public var overwrite: Bool
  /// The loudspeakers of the channels, bit by bit as WAV has them; 0 for the usual ones. A kind of file that cannot say
  /// them warns.
  public var speakers: UInt32
  /// What the file says about its sound, where its kind can.
  public var tags: AudioTags

  /// Options from their parts.
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
