import Engine
import Metering
import OfflineProcessing
import Platform

/// Results of one input.
struct Analysis: Sendable {
  let file: FileAnalysisResult
  /// Pitch; nil if the command line does not ask for it.
  let pitch: PitchMeasurement?

  /// Returns the table of one kind, empty if the command line does not ask for it.
  func table(_ kind: AnalysisKind) -> TableLines {
    switch kind {
    case .volume: VolumeRows.schema.table(file.levels)
    case .pitch: PitchRows.schema.table(pitch?.rows ?? SpooledRows())
    case .loudness: LoudnessRows.schema.table(file.loudness?.moments ?? SpooledRows())
    }
  }
}
