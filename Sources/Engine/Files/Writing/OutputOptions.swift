/// Under which name a file grows.
public enum OutputPlacement: Hashable, Sendable {
  /// As `PATH.part`; `finish` gives it its own name.
  case partThenRename
  /// Under its own name from the beginning.
  case inPlace
}

/// How an output is written.
public struct OutputOptions: Hashable, Sendable {
  /// How samples are stored; lossy formats take no notice of it.
  public var sampleFormat: SampleFormat
  /// The seed of the dither for 8 and 16 bits; nil: none.
  public var ditherSeed: UInt64?
  /// Under which name the file grows.
  public var placement: OutputPlacement
  /// Whether an existing file may be replaced.
  public var overwrite: Bool

  /// Options from their parts.
  public init(
    sampleFormat: SampleFormat, ditherSeed: UInt64? = nil, placement: OutputPlacement = .partThenRename,
    overwrite: Bool = false
  ) {
    self.sampleFormat = sampleFormat
    self.ditherSeed = ditherSeed
    self.placement = placement
    self.overwrite = overwrite
  }
}
