/// Keys of a manifest's rows; other keys mean nothing here.
package enum ManifestKey: String, CaseIterable, Sendable {
  case path
  /// Path in manifests of speech tool kits.
  case audioPath = "audio_filepath"
  case output
  case duration
  case start
  /// Beginning of a part in manifests of speech tool kits.
  case offset
  case gain
  case loudnessTarget = "loudness_target"
}
