/// Under which name a file grows.
public enum OutputPlacement: Hashable, Sendable {
  /// As `PATH.part`; `finish` gives it its own name.
  case partThenRename
  /// Under its own name from the beginning.
  case inPlace
}

/// From where on 8 and 16 bits are dithered.
public enum DitherStart: Hashable, Sendable {
  /// From the first sample.
  case atOnce
  /// From the first sample that lies between two steps: what the file can hold exactly up to there stays as it is.
  case firstInexactSample
}

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

  /// Options from their parts.
  public init(
    sampleFormat: SampleFormat, ditherSeed: UInt64? = nil, ditherStart: DitherStart = .atOnce,
    placement: OutputPlacement = .partThenRename, overwrite: Bool = false
  ) {
    self.sampleFormat = sampleFormat
    self.ditherSeed = ditherSeed
    self.ditherStart = ditherStart
    self.placement = placement
    self.overwrite = overwrite
  }
}
