/// One row of a manifest: a sound file or a part of one, and the wishes for its copy.
public struct ManifestRow: Hashable, Sendable {
  /// Number of the row, from 1.
  public var index: Int
  /// Path of the sound file, as the manifest has it.
  public var path: String
  /// Name of the output below the folder of outputs; nil for the name by template.
  public var output: String?
  /// Length of the sound, or of the part, in seconds; nil if the manifest does not have it.
  public var duration: Double?
  /// Beginning of the part that the row means, in seconds; nil for the whole file.
  public var start: Double?
  /// Gain of the copy in dB; nil for that of the other rows.
  public var gain: Double?
  /// Integrated loudness of the copy in LUFS; nil for that of the other rows.
  public var loudnessTarget: Double?

  /// Whether the row has a copy of its own level.
  package var changesLevel: Bool { gain != nil || loudnessTarget != nil }

  /// Creates a row with a path alone.
  ///
  /// - Parameters:
  ///   - index: Number of the row, from 1.
  ///   - path: Path of the sound file.
  public init(index: Int, path: String) {
    self.index = index
    self.path = path
  }
}
