/// One row of a manifest.
package struct ManifestRow: Hashable, Sendable {
  /// Number of the row, from 1.
  package var index = 0
  /// Path of the sound file, as the manifest has it.
  package var path = ""
  /// Name of the output below the folder of outputs; nil for the name by template.
  package var output: String?
  /// Length of the sound in seconds; nil if the manifest does not have it.
  package var duration: Double?
  /// Beginning of the part that the row means, in seconds; nil for the whole file.
  package var start: Double?
  /// Gain in dB in place of the command line's.
  package var gain: Double?
  /// Integrated loudness of the copy in LUFS, in place of the command line's.
  package var loudnessTarget: Double?

  /// Whether the row has a copy of its own level.
  package var changesLevel: Bool { gain != nil || loudnessTarget != nil }

  package init() {}
}
