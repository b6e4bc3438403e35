import Engine
import Metering
import OfflineProcessing
import PitchDetection
import Platform

/// Results of one input.
struct Analysis: Sendable {
  let file: FileAnalysisResult
  /// Rows of the pitch; nil if the command line does not ask for it.
  let pitch: SpooledRows<PitchPoint>?

  /// Returns the table of one kind, empty if the command line does not ask for it.
  func table(_ kind: AnalysisKind) -> TableLines {
    switch kind {
    case .volume: VolumeRows.schema.table(file.levels)
    case .pitch: PitchRows.schema.table(pitch ?? SpooledRows())
    case .loudness: LoudnessRows.schema.table(file.loudness?.moments ?? SpooledRows())
    }
  }
}
